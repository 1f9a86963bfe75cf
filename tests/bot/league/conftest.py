from tests.bot.league.house import house

__all__ = ["house"]
