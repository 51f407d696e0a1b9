"""Commands that differ from game to game: `cardroom VERB GAME …`, each game in a module of its own.

A module holds `app`, a Typer with a single command; it is imported only when its game is asked for.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperGroup

from cardroom.core.errors import MalformedInput, Unavailable
from cardroom.games import GAMES


class _PerGame(TyperGroup):
    """A group whose commands are games."""

    verb: ClassVar[str]

    def list_commands(self, ctx: Any) -> list[str]:
        return [game.id for game in GAMES.values() if self.verb in game.commands]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.list_commands(ctx):
            return None
        command = _command_in(GAMES[cmd_name].commands[self.verb])
        command.name = cmd_name  # games of a family share a module
        return command

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Let options stand before the game, too, and say plainly when a game is not to be had."""
        place = next((place for place, word in enumerate(args) if word in GAMES), None)
        if place is not None:
            args = [args[place], *args[:place], *args[place + 1 :]]
        if not ctx.resilient_parsing and not {"-h", "--help"} & set(args[:1]):
            self._check_game(ctx, args)
        return super().parse_args(ctx, args)

    def _check_game(self, ctx: Any, args: list[str]) -> None:
        here = ", ".join(self.list_commands(ctx))
        if not args:
            raise MalformedInput(f"name a game: cardroom {self.verb} GAME; there are {here}")
        if args[0].startswith("-"):
            return  # Typer names the option
        game = GAMES.find(args[0])
        if self.verb not in game.commands:
            otherwise = f"; it is run by {game.run_by}" if game.run_by else ""
            raise Unavailable(f"there is no cardroom {self.verb} for {game.id}, only for {here}{otherwise}")


@cache
def _command_in(module: str) -> Any:
    return typer.main.get_command(import_module(module).app)


def per_game(verb: str, summary: str) -> typer.Typer:
    """The group of a verb, with a command for each game that has one."""
    group = type("PerGame", (_PerGame,), {"verb": verb})
    return plain_typer(name=verb, help=summary, cls=group, subcommand_metavar="GAME [OPTIONS]")


def plain_typer(**settings: Any) -> typer.Typer:
    """A Typer whose help is plain text, which costs no import of rich; also that of a game's module."""
    return typer.Typer(
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
        **{"add_completion": False, **settings},
    )
