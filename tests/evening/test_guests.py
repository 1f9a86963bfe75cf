"""How people of an evening find the message of their table among the others of its channel."""

from playground.model import Message
from playground.world import World
from tests.evening.guests import Board


def test_the_message_of_a_league_or_a_home_game_of_the_same_number_is_not_that_of_the_table():
    world = World()
    channel = world.channel("general")
    verbs = ("hand", "league-next", "score-deal", "ledger")
    for place, verb in enumerate(verbs, start=1):
        button = {"type": 2, "label": verb, "custom_id": f"mr1:{verb}:1:0"}
        channel.messages[place] = Message(place, channel, world.bot, components=[button])
    assert Board(world, 1, "general").message is channel.messages[1]
