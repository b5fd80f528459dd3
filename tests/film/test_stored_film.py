"""A stored film is read back whole; a film stored in an older format is made again."""

import gzip
from pathlib import Path

import msgspec

from broadcast.film.film import FORMAT, Film, film_of, keep_film, open_film
from broadcast.film.outline import Outline
from tests.support.recordings import small_contest


def test_stored_film_is_read_back_whole_unless_it_has_an_older_format(tmp_path: Path) -> None:
    path = tmp_path / "one.film"
    film = film_of(small_contest())
    keep_film(film, "stamp", path)
    found = open_film(path, "stamp")
    assert found is not None
    outline = msgspec.json.decode(gzip.decompress(found.index()), type=Outline)
    assert Film(outline, tuple(found.segment(number) for number in range(found.segments))) == film
    path.write_bytes(path.read_bytes().replace(FORMAT.encode(), b"high-noon-film/3", 1))
    assert open_film(path, "stamp") is None
