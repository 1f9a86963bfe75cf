"""Every function of the project that reads text, in one table for hypothesis and the fuzzer."""

from tests.fuzz.readers import game, pressed, stored, typed
from tests.fuzz.readers.reader import Reader

READERS: tuple[Reader, ...] = (*game.READERS, *typed.READERS, *pressed.READERS, *stored.READERS)
