"""Every reader of text of the project, in one table: hypothesis and the fuzzer go through all of them."""

from tests.fuzz.readers import game, pressed, stored, typed
from tests.fuzz.readers.reader import Reader

READERS: tuple[Reader, ...] = (*game.READERS, *typed.READERS, *pressed.READERS, *stored.READERS)
