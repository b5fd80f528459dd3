"""The guide's drawing shows every folder, in the order in which they may import one another."""

from assets.make.house import FLOORS, drawing
from tests.house.test_imports import FOLDERS, row_of
from tests.support.source_files import modules_with_code


def test_every_source_folder_is_drawn_once_and_no_other() -> None:
    folders = {row_of(module.path.parent.as_posix()) for module in modules_with_code()}
    drawn = [folder for floor in FLOORS.values() for folder in floor]
    assert sorted(drawn) == sorted(folders)
    picture = drawing()
    assert [picture.count(f">{folder}<") for folder in drawn] == [1] * len(drawn)


def test_drawing_follows_the_order_of_imports() -> None:
    """Folders drawn lower may be imported by those drawn higher, as the list in test_imports says."""
    drawn = [folder for floor in FLOORS.values() for folder in floor]
    assert drawn == [folder for folder in FOLDERS if folder in drawn]
