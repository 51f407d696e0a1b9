"""A session of the blackjack family on the whole screen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal

from rich.console import Group, RenderableType
from rich.text import Text

from cardroom.cli.full_screen import TableApp
from cardroom.cli.leaving import Leaving
from cardroom.cli.output import console
from cardroom.cli.twentyone.advice import adviser
from cardroom.cli.twentyone.bets import how
from cardroom.cli.twentyone.chart_view import chart_view
from cardroom.cli.twentyone.cut import NOBODYS_CUT, Cut
from cardroom.cli.twentyone.prompts import understood
from cardroom.cli.twentyone.round_in_play import RoundInPlay
from cardroom.cli.twentyone.screen import FORMS, table_of
from cardroom.cli.twentyone.session import Played, Session, Settings, secret_of, with_a_way_out
from cardroom.cli.twentyone.summary import farewell, history_of
from cardroom.core.errors import CardroomError
from cardroom.presentation import key_of
from cardroom.presentation.announcements import announced_wagers, result_sentence
from cardroom.presentation.money import average, dollars
from cardroom.presentation.numbers import counted
from cardroom.table.twentyone import player_cut_range

if TYPE_CHECKING:
    from cardroom.engine.twentyone import Event
    from cardroom.lab.advice import Advice
    from cardroom.lab.charts import StrategyChart

USUAL_QUESTION_CENTS: Final = 10.0
"""What the key of warnings asks about where the command line names no amount."""
Mode = Literal["cut", "wagers", "dealing", "decision", "gone"]


def run(settings: Settings) -> int:
    """Play on the whole screen, then show the result below the prompt; the exit code."""
    going = Leaving()
    with going, Session(settings) as session:
        app = TwentyOneApp(session, going)
        try:
            app.run_to_end()
        except OSError:
            if not going.noted:  # a window that was closed takes no more words
                raise
        finally:  # whatever happened, what was committed is played out and recorded
            app.end_round()
            records = session.close()
        out = console()
        for record in records:
            out.print(f"Shoe {session.table.state.shoes} is over. Secret {secret_of(record)}")
        farewell(session, out, judged=not going.noted)
    return going.exit_code or app.return_code or 0


class TwentyOneApp(TableApp):
    """The table, your keys, the coach."""

    def __init__(self, session: Session, going: Leaving) -> None:
        super().__init__(going)
        self.session = session
        self.settings = session.settings
        self.rules = session.rules
        self.mode: Mode = "wagers"
        self.round: RoundInPlay | None = None
        self.hurrying = False
        self.coach = self.settings.coach
        self.ask_above_cents = self.settings.ask_above_cents
        self.advice: Advice | None = None
        """Of the decision that is asked for, once it is known."""
        self.asked_about = ""
        """A choice that was asked about: the same again is meant."""
        self.waiting_choice = ""
        """A choice that waits for what it costs."""
        self.advice_shown = False
        self.verdict = ""
        """What the last choice cost, where that was wished; it stands until the next one."""
        self.chart: StrategyChart | None = None
        self.chart_cents = 0
        self.trouble = ""
        """Why there is no advice."""

    # What stands on the screen.

    def head(self) -> str:
        rules, limits = self.rules, self.rules.limits
        wagers = f"{limits.min} only" if limits.min == limits.max else f"{limits.min} to {limits.max}"
        decks = "infinitely many decks" if rules.decks == "infinite" else counted(rules.decks, "deck")
        number = f" · round {self.session.table.state.rounds}" if self.round or self.session.played else ""
        return f"{rules.title} · {decks} · wagers {wagers}{number}"

    def board(self, width: int) -> Iterable[RenderableType]:
        seen = self.session.table.view(self.session.you).round
        if seen is None:
            yield Text(f"\nThe table is open. {how(self.rules)[0].upper()}{how(self.rules)[1:]}.")
            return
        for form in FORMS:
            yield table_of(seen, self.session.you, self.rules, form=form, width=width)

    def beside(self) -> RenderableType:
        if not self.wide:
            return ""
        parts: list[RenderableType] = []
        if self.trouble:
            parts.append(Text(self.trouble, "yellow"))
        elif self.mode == "decision" and (self.coach or self.advice_shown):
            words = "The values are being worked out …"
            if self.advice is not None:
                words = adviser().advice_words(self.advice)
            parts += [Text(words, "cyan"), Text()]
        if self.chart is not None:
            game = self.session.table.state.round
            in_turn = game if self.mode == "decision" else None
            parts += [Text(f"Best play for a wager of {dollars(self.chart_cents)}", "bold")]
            parts.append(chart_view(self.chart, in_turn))
        elif not self.trouble:
            parts.append(Text("The game is being solved for the chart …", "dim"))
        return Group(*parts)

    def money(self) -> str:
        session = self.session
        now = f"this session {dollars(session.result_cents, plus=True)}"
        now += f" in {counted(len(session.played), 'round')}"
        if session.bankroll is not None:
            total = dollars(session.bankroll.amounts.result_cents, plus=True)
            return f"Bankroll {dollars(session.chips_cents)} · {now} · all sessions {total}"
        chips = f"Chips {dollars(session.chips_cents)} · " if session.brought_chips else ""
        return f"{chips}{now[0].upper()}{now[1:]}" if not chips else chips + now

    def offered(self) -> Mapping[str, str]:
        wishes = {
            "coach": f"coach {'off' if self.coach else 'on'}",
            "warnings": "no warnings" if self.ask_above_cents is not None else "warn me",
        }
        always = {"keys": "keys", "leave": "leave"}
        if self.mode == "decision":
            assert self.round is not None
            options = {str(option): str(option) for option in self.round.awaited.options if key_of(option)}
            return {**options, "advice": "advice", "say": "say", **wishes, **always}
        if self.mode == "wagers":
            history = {"history": "history"} if self.session.played else {}
            return {"deal": f"deal {self.session.last_bets}", "bet": "bet", **history, **wishes, **always}
        if self.mode == "dealing":
            return {"finish": "the rest at once", "leave": "leave after this round"}
        return always

    # What the keys do.

    def do(self, action: str) -> None:
        match action:
            case "leave":
                self.go()
            case "deal":
                self._deal(self.session.last_bets)
            case "bet":
                self._ask_bet()
            case "finish":
                self.hurrying = True
            case "history":
                lines = [line for one in reversed(self.session.played) for line in self._history(one)]
                self.read("Your rounds, the last one first", Group(*lines))
            case "coach":
                self.coach = not self.coach
                self.say(f"The coach is {'on' if self.coach else 'off'}.")
                self._think()
            case "warnings":
                self._switch_warnings()
            case "advice":
                self.advice_shown = True
                self._think()
                self._show_advice()
            case "say":
                assert self.round is not None
                options = self.round.awaited.options
                self.ask("Say", lambda text: self._choose(understood(text, options)) if text else None)
            case _:
                assert self.round is not None
                self._choose(understood(key_of(action), self.round.awaited.options))

    def escape(self) -> None:
        """Take back a choice that was asked about."""
        if self.asked_about:
            self.asked_about = ""
            self.say("Nothing is done yet.")

    def not_offered(self, key: str, action: str | None) -> None:
        if self.mode == "decision" and action is not None and self.round is not None:
            self._choose(understood(key_of(action), self.round.awaited.options))  # refused with its clause
        else:
            super().not_offered(key, action)

    def _switch_warnings(self) -> None:
        if self.ask_above_cents is not None:
            self.ask_above_cents = None
            self.say("No question before a blunder.")
        else:
            self.ask_above_cents = self.settings.ask_above_cents or USUAL_QUESTION_CENTS
            cost = average(self.ask_above_cents)
            self.say(f"You are asked before a choice that costs more than {cost} on average.")
            self._think()

    def _history(self, played: Played) -> Iterable[Text]:
        return (*history_of(played, self.session.you), Text())

    # Between rounds.

    def begin(self) -> None:
        self.say(*(Text(words, "yellow") for words in self.session.warnings))
        self._draw_chart(int(self.rules.limits.min))
        self._between_rounds()

    def _between_rounds(self) -> None:
        session = self.session
        if session.needs_shoe:
            committed = session.commit_shoe()
            number = session.table.state.shoes
            self.say(*self.said.splitlines(), f"Shoe {number}. Commitment {committed.commitment[:32]} …")
        self.mode = "wagers"
        if session.needs_cut:
            self.mode = "cut"
            if self.settings.cut is not None:
                self._cut(self.settings.cut)
            else:
                self._ask_cut()

    def _ask_cut(self) -> None:
        allowed = player_cut_range(self.rules)
        self.ask(
            f"Cut the cards, {allowed.least} to {allowed.most} deep [{allowed.middle}]:",
            self._cut_as_typed,
            refuse=lambda: self._cut(NOBODYS_CUT),
        )

    def _cut_as_typed(self, text: str) -> None:
        try:
            self._cut(Cut.parse(text, in_cards=True))
        except CardroomError as error:
            self.refuse(error)
            self._ask_cut()

    def _cut(self, wish: Cut) -> None:
        self.session.cut(wish)
        self.mode = "wagers"

    def _ask_bet(self) -> None:
        spots = self.settings.spots
        apart = f" for {spots} spots, ' / ' between them" if spots > 1 else ""
        self.say(f"{how(self.rules)[0].upper()}{how(self.rules)[1:]}{apart}.")
        self.ask("Your bet:", self._bet_as_typed, typed=self.session.last_bets, selected=True)

    def _bet_as_typed(self, text: str) -> None:
        try:
            self._deal(text or self.session.last_bets)
        except CardroomError as error:
            self.refuse(error)
            self.ask("Your bet:", self._bet_as_typed, typed=text)

    def refuse(self, error: CardroomError) -> None:
        super().refuse(with_a_way_out(self.rules, error))

    # A round.

    def _deal(self, bets: str) -> None:
        self.session.place(bets)
        self.round = self.session.new_round()
        self.round.start()
        self.hurrying = False
        self.verdict = ""
        self.mode = "dealing"
        self.say(f"Round {self.session.table.state.rounds}{self.session.round_in_shoe()}")
        self._play_on()

    def _play_on(self) -> None:
        """Deal and let the computer's players speak, until you are to decide or the round is over."""
        game = self.round
        if game is None:
            return
        heard = len(game.events)
        while not game.over:
            awaited = game.awaited
            if awaited.kind == "card":
                game.deal_card()
                if self.settings.seconds and not self.hurrying:
                    self._announce(heard)
                    self.draw()
                    self.set_timer(self.settings.seconds, lambda: self.go_on_by_itself(self._play_on))
                    return
                continue
            answer = game.said_for(awaited)
            if answer is None:
                self._announce(heard)
                self._decide()
                return
            game.answer(awaited, answer)
        self._announce(heard)
        self._round_over()

    def _announce(self, heard: int) -> None:
        """Say what became of your wagers since some event."""
        assert self.round is not None
        news = self._news(self.round.events, since=heard)
        if news:
            self.say(*news)

    def _news(self, events: Sequence[Event], since: int = 0) -> list[str]:
        several = self.settings.spots > 1
        you, rules = self.session.you, self.session.rules
        return list(announced_wagers(events, you, rules, since=since, several_spots=several))

    def _decide(self) -> None:
        self.mode = "decision"
        self.advice, self.asked_about, self.waiting_choice = None, "", ""
        game = self.session.table.state.round
        assert game is not None
        stake_cents = game.spots[game.turn].stake_cents
        if self.chart is not None and stake_cents != self.chart_cents:
            self._draw_chart(stake_cents)
        self._think()
        self.draw()
        self.drop_typed_ahead()

    def _choose(self, answer: str) -> None:
        """Do what you say, or ask once where it costs much and you wish to be asked."""
        if answer == "advice":
            self.do("advice")
            return
        if answer == "leave":
            self.go()
            return
        if self.ask_above_cents is not None and answer != self.asked_about:
            if self.advice is None and not self.trouble:
                self.waiting_choice = answer
                self.say(f"What {answer} costs is being worked out …")
                self._think()
                return
            question = adviser().blunder_words(self.advice, answer, self.ask_above_cents)
            if question:
                self.asked_about = answer
                self.say(Text(f"{question} The same again does it, Esc does not.", "yellow"))
                return
        self._act(answer)

    def _act(self, answer: str) -> None:
        assert self.round is not None
        self.round.answer(self.round.awaited, answer)
        wished = (self.coach or self.advice_shown) and self.advice is not None
        self.verdict = adviser().verdict_words(self.advice, answer) if wished else ""
        self.say(Text(self.verdict, "cyan"))
        self.advice_shown = False
        self.mode = "dealing"
        self._play_on()

    def _round_over(self) -> None:
        assert self.round is not None
        played = self.end_round()
        assert played is not None
        news = "; ".join(self._news(played.events))
        sentences = [Text(result_sentence(played.net_cents), "bold"), Text(news)]
        if self.verdict:
            sentences.append(Text(self.verdict, "cyan"))
        shoe = self.session.table.state.shoes
        sentences += [Text(f"Shoe {shoe} is over. Secret {secret_of(record)}") for record in played.revealed]
        self.say(*sentences)
        if len(self.session.played) >= self.settings.most_rounds:
            self.go()
            return
        self._between_rounds()
        self.draw()

    def end_round(self) -> Played | None:
        """Bring the round in play to its end and its record, if there is one."""
        if self.round is None:
            return None
        game, self.round = self.round, None
        return self.session.end_round(game)

    def go(self) -> None:
        if self.mode != "gone":
            self.mode = "gone"
            self.end_round()
            self.exit()

    # The coach.

    def _think(self) -> None:
        """Work out the values of the decision that is asked for, where they are wished."""
        wished = self.coach or self.advice_shown or self.ask_above_cents is not None
        game = self.session.table.state.round
        if self.mode != "decision" or not wished or self.advice is not None or game is None:
            return

        def known(advice: Advice | None) -> None:
            if self.mode == "decision" and self.session.table.state.round is game:
                self._known(advice)

        self.thinker.work_out(lambda: adviser().values(game), known, self._no_advice)

    def _known(self, advice: Advice | None) -> None:
        self.advice = advice
        self._show_advice()
        choice, self.waiting_choice = self.waiting_choice, ""
        if choice:
            self._choose(choice)
        self.draw()

    def _show_advice(self) -> None:
        """Advice stands beside the table on a wide screen, else below it."""
        if not (self.coach or self.advice_shown) or self.wide:
            return
        if self.advice is None:
            self.say("The values are being worked out; the first take a while …")
        else:
            words = adviser().advice_words(self.advice).splitlines()
            values = " · ".join(" ".join(line.split()) for line in words[1:])
            before = [Text(self.verdict, "cyan")] if self.verdict else []
            self.say(*before, Text(words[0], "cyan"), Text(values))

    def _no_advice(self, error: CardroomError) -> None:
        self.trouble = f"No advice here: {error}."
        choice, self.waiting_choice = self.waiting_choice, ""
        if choice:
            self._act(choice)
        elif not self.wide:
            self.say(Text(self.trouble, "yellow"))
        self.draw()

    def _draw_chart(self, wager_cents: int) -> None:
        def known(chart: StrategyChart) -> None:
            self.chart, self.chart_cents = chart, wager_cents
            self.draw()

        self.thinker.work_out(lambda: adviser().chart(self.rules, wager_cents), known, self._no_advice)
