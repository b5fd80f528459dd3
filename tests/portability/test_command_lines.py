"""Command lines and folders of Windows are understood, with backslashes, drive letters, blanks and quotes."""

from pathlib import Path

import pytest

from server.config.event_addresses import publish_destination
from server.system.shell_words import quoted, quoted_within, words_of


def test_commands_of_windows_keep_backslashes_and_apostrophes() -> None:
    for command, words in (
        (r"python C:\bots\bot.py {server}", ["python", r"C:\bots\bot.py", "{server}"]),
        (r'python "C:\My Bots\bot.py" -v', ["python", r"C:\My Bots\bot.py", "-v"]),
        (r'"C:\Program Files\Java\bin\java.exe" Bot', [r"C:\Program Files\Java\bin\java.exe", "Bot"]),
        (r"\\club\share\bot.exe", [r"\\club\share\bot.exe"]),
        (r"C:\Users\O'Brien\bot.exe # 1", [r"C:\Users\O'Brien\bot.exe", "#", "1"]),
        (r"python 'C:\My Bots\bot.py' -v", ["python", r"C:\My Bots\bot.py", "-v"]),
        ("--name=\"My bot\" O'Brien's", ["--name=My bot", "O'Brien's"]),
    ):
        assert words_of(command, unix=False) == words
        assert words_of(" ".join(quoted(word, unix=False) for word in words), unix=False) == words
        inner_command = " ".join(quoted_within(word, unix=False) for word in words)
        assert words_of(inner_command, unix=False) == words
        assert words_of(quoted(inner_command, unix=False), unix=False) == [inner_command]
    with pytest.raises(ValueError, match="No closing quotation"):
        words_of('python "bot.py', unix=False)
    words = ["python3", "my bots/bot.py", "it's", "a\\b", "#", ""]
    assert words_of(" ".join(quoted(word, unix=True) for word in words), unix=True) == words
    with pytest.raises(ValueError, match="No closing quotation"):
        words_of("python3 'bot.py", unix=True)


@pytest.mark.parametrize("folder", [r"C:\Club Shows\site", "C:/Club Shows/site", r"\\club\shows"])
def test_folder_with_a_drive_letter_is_not_taken_for_a_bucket(folder: str, tmp_path: Path) -> None:
    assert publish_destination(tmp_path, folder) == str(tmp_path / folder)
