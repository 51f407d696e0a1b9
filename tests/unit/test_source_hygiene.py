"""What the source may not contain, wherever it stands: chance, time, machine paths, registry hosts."""

from __future__ import annotations

import ast
import importlib
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "cardroom"
MOST_LINES = 500


@dataclass(frozen=True)
class Restriction:
    """Names that may be used only in the files that match one of the patterns."""

    what: str
    names: tuple[str, ...]
    allowed_in: tuple[str, ...]

    def forbids(self, name: str, path: str) -> bool:
        covered = any(name == own or name.startswith(f"{own}.") for own in self.names)
        return covered and not any(fnmatch(path, pattern) for pattern in self.allowed_in)


OS_RANDOMNESS = Restriction(
    "the operating system's randomness is used only in fair",
    ("os.getrandom", "os.urandom", "secrets", "uuid.uuid1", "uuid.uuid4"),
    ("fair/*",),
)
GENERATORS = Restriction(
    "general-purpose generators serve only simulation and never an outcome",
    ("cardroom.sim.random", "numpy.random", "random"),
    ("sim/*", "lab/random_rules.py"),
)
TIME = Restriction(
    "the time of day comes only from an injected clock",
    (
        "datetime.date.today",
        "datetime.datetime.now",
        "datetime.datetime.today",
        "datetime.datetime.utcnow",
        "time.ctime",
        "time.gmtime",
        "time.localtime",
        "time.time",
        "time.time_ns",
    ),
    ("*/clock.py",),
)


def used_names(source: str) -> Iterator[str]:
    """The dotted names of imported things that a source uses, aliases resolved.

    >>> list(used_names("import numpy as np\\nx = np.random.default_rng(1)"))
    ['numpy', 'numpy.random.default_rng', 'numpy.random', 'numpy']
    """
    tree = ast.parse(source)
    meaning: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                meaning[alias.asname or alias.name.partition(".")[0]] = (
                    alias.name if alias.asname else alias.name.partition(".")[0]
                )
                yield alias.name
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                meaning[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                yield f"{node.module}.{alias.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name):
            head, dot, rest = ast.unparse(node).partition(".")
            if head in meaning:
                yield f"{meaning[head]}{dot}{rest}"


@cache
def names_of_package() -> dict[str, list[str]]:
    """The names that each file of the package uses, by its place."""
    return {
        path.relative_to(PACKAGE).as_posix(): sorted(set(used_names(path.read_text("utf-8"))))
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def offences(restriction: Restriction) -> list[str]:
    """Where the package breaks a restriction, as `file: name`."""
    return [
        f"{place}: {name}"
        for place, names in names_of_package().items()
        for name in names
        if restriction.forbids(name, place)
    ]


@pytest.mark.slow
@pytest.mark.requirement("R-5", "R-9")
@pytest.mark.parametrize("restriction", [OS_RANDOMNESS, GENERATORS, TIME], ids=lambda r: r.what)
def test_restricted_names(restriction: Restriction) -> None:
    assert offences(restriction) == [], restriction.what


@pytest.mark.parametrize(
    ("restriction", "source", "path"),
    [
        (OS_RANDOMNESS, "import os\nseed = os.urandom(32)", "lottery/draw.py"),
        (OS_RANDOMNESS, "from os import urandom", "lottery/draw.py"),
        (OS_RANDOMNESS, "def f():\n    import secrets as s\n    return s.token_hex()", "cli/play.py"),
        (GENERATORS, "import random", "fair/shuffle.py"),
        (GENERATORS, "from cardroom.sim.random import stream", "fair/shuffle.py"),
        (GENERATORS, "import numpy as np\nnp.random.shuffle(cards)", "fair/shuffle.py"),
        (GENERATORS, "from numpy.random import default_rng", "engine/x.py"),
        (TIME, "import datetime as dt\ndt.datetime.now(dt.UTC)", "table/shoe.py"),
        (TIME, "from datetime import datetime\nstamp = datetime.now", "table/shoe.py"),
        (TIME, "import time\nseed = time.time_ns()", "sim/kernel.py"),
    ],
)
def test_a_breach_is_seen(restriction: Restriction, source: str, path: str) -> None:
    assert any(restriction.forbids(name, path) for name in used_names(source))


@pytest.mark.parametrize(
    ("restriction", "source", "path"),
    [
        (OS_RANDOMNESS, "import os\nos.getpid()", "cli/play.py"),
        (OS_RANDOMNESS, "import secrets", "fair/seed.py"),
        (GENERATORS, "import numpy as np\nnp.random.default_rng(7)", "sim/kernel.py"),
        (GENERATORS, "random = 3\nprint(random)", "rules/x.py"),
        (TIME, "import time\ntime.perf_counter()", "cli/simulate.py"),
        (TIME, "from datetime import datetime\ndatetime.fromisoformat(text)", "lottery/schedule.py"),
    ],
)
def test_what_is_in_order_is_left_alone(restriction: Restriction, source: str, path: str) -> None:
    assert not any(restriction.forbids(name, path) for name in used_names(source))


def test_core_needs_only_the_standard_library() -> None:
    foreign = {
        f"{path.name}: {name}"
        for path in (PACKAGE / "core").rglob("*.py")
        for name in used_names(path.read_text("utf-8"))
        if name.partition(".")[0] not in {*sys.stdlib_module_names, "cardroom"}
    }
    assert foreign == set()


def texts() -> Iterator[tuple[str, str]]:
    """The project's own text files, with their paths from the root."""
    folders = [ROOT / name for name in (".ci", "docs", "src", "tests", "tools")]
    files = [path for folder in folders for path in folder.rglob("*")] + list(ROOT.iterdir())
    for path in sorted(files):
        if path.is_file() and "__pycache__" not in path.parts and path.name != ".git":
            try:
                yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")
            except UnicodeDecodeError:
                continue  # a picture or another binary file


MACHINE_PATHS = re.compile(
    rf"{re.escape(str(ROOT))}/|(?<![\w./-])/(?:root|work|home/[\w.-]+|Users/[\w.-]+)/|[A-Z]:\\Users\\"
)
REGISTRY_HOSTS = re.compile(
    r"pythonhosted\.org|pypi\.org/simple|registry\.npmjs|--(?:extra-)?index-url[ =]\S*:/"
)


def test_no_paths_of_a_machine() -> None:
    assert [path for path, text in texts() if MACHINE_PATHS.search(text)] == []


def test_no_registry_hosts() -> None:
    assert [path for path, text in texts() if REGISTRY_HOSTS.search(text)] == []


def test_the_nets_for_paths_and_hosts_catch() -> None:
    assert MACHINE_PATHS.search("see " + "/".join(["", "home", "ann", "cards"]))
    assert MACHINE_PATHS.search(f"cd {ROOT}/src")
    assert REGISTRY_HOSTS.search("https://files." + "pythonhosted" + ".org/packages/x.whl")
    assert REGISTRY_HOSTS.search("--extra-" + "index-url https://example.org/x")


def test_files_have_one_subject() -> None:
    too_long = {
        path: lines
        for path, text in texts()
        if path.endswith((".py", ".js")) and (lines := text.count("\n")) > MOST_LINES
    }
    assert too_long == {}


UNSEEDED = Restriction(
    "tests draw no chance that cannot be repeated; `secrets` has a stream for each of them",
    (
        *(
            f"random.{name}"
            for name in ("SystemRandom", "choice", "choices", "randint", "random", "randrange")
        ),
        *(f"random.{name}" for name in ("sample", "shuffle", "uniform")),
        *OS_RANDOMNESS.names[:2],
        *OS_RANDOMNESS.names[3:],
    ),
    (),
)
PAUSES = re.compile(r"\bsleep\((\d*\.?\d+)\)|wait_for_timeout\((\d+)\)")
LONGEST_PAUSE_SECONDS = 0.05
FOR_EVER_SECONDS = 600  # a program that is there to be killed


@pytest.mark.slow
def test_tests_draw_no_chance_that_cannot_be_repeated() -> None:
    for path in sorted((ROOT / "tests").rglob("*.py")):
        source = path.read_text("utf-8")
        assert [name for name in used_names(source) if UNSEEDED.forbids(name, "")] == [], path
        if path != Path(__file__):
            assert re.findall(r"\b(?:Random|default_rng|RandomState)\(\)", source) == [], path


def test_tests_wait_for_conditions_and_pause_only_between_two_looks() -> None:
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for seconds, milliseconds in PAUSES.findall(path.read_text("utf-8")):
            pause = float(seconds or 0) + float(milliseconds or 0) / 1000
            assert pause <= LONGEST_PAUSE_SECONDS or pause == FOR_EVER_SECONDS, path


def pins_of(lock: str) -> dict[str, list[Requirement]]:
    """The pinned requirements of a lock file by name; one name may be pinned once per Python version."""
    pins: dict[str, list[Requirement]] = {}
    for line in lock.splitlines():
        if re.match(r"[a-z0-9]", line):
            pin = Requirement(line.rstrip("\\").strip())
            pins.setdefault(canonicalize_name(pin.name), []).append(pin)
    return pins


@pytest.mark.parametrize(("lock", "extra"), [("requirements-run.lock", None), ("requirements.lock", "dev")])
def test_the_locks_hold_what_the_package_asks_for(lock: str, extra: str | None) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    pins = pins_of((ROOT / lock).read_text("utf-8"))
    wanted = [Requirement(text) for text in project["dependencies"]]
    extras = [extra] if extra else []
    while extras:
        for requirement in map(Requirement, project["optional-dependencies"][extras.pop()]):
            if requirement.name == project["name"]:
                extras += requirement.extras
            else:
                wanted.append(requirement)
    assert wanted
    for requirement in wanted:
        own = pins.get(canonicalize_name(requirement.name), [])
        assert own, f"{requirement} is not in {lock}: run `make lock`"
        for pin in own:
            version = next(iter(pin.specifier)).version
            assert requirement.specifier.contains(version), (
                f"{lock} pins {pin}, the package asks for {requirement}"
            )


@pytest.mark.parametrize("lock", ["requirements-run.lock", "requirements.lock"])
def test_every_pin_has_hashes(lock: str) -> None:
    entries = re.split(r"\n(?=[a-z0-9])", (ROOT / lock).read_text("utf-8").partition("\n\n")[0])
    pins = [entry for entry in entries if re.match(r"[a-z0-9]", entry)]
    assert len(pins) > 10
    assert [entry.splitlines()[0] for entry in pins if "--hash=sha256:" not in entry] == []


FORMATTERS = re.compile(
    r"%\}"  # a share as a percentage by the format itself
    r"|\b100 \* [^\n]*:[z+,]*\.\d+f|:[z+,]*\.\d+[fg]\} ?%"  # a percentage by hand
    r"|\$\{[^{}\n]*:,|/ 100:,"  # dollars by hand
    r"|symbol=True"  # dollars of `core.money`, which has no true minus sign
    r"|soft \{|f\"1 in \{1 /"
    r"|\.toFixed\(|\.toLocaleString\(|Intl\.NumberFormat"
    r"|\"%\.\d+f\" \| format"
)
SAYS_ITSELF = {
    "core/money.py": "the text of an amount that is parsed again",
    "presentation/money.py": "the one place for money",
    "presentation/totals.py": "the one place for totals",
    "web/static/js/words.js": "the one place for money and numbers in the pages' modules",
    "web/static/js/lab.js": "seconds of a clock",
    "lottery/print_codes.py": "what earlier papers said, which must never change",
    "rules/options.py": "an amount in the sentences of the rules, below presentation",
    "engine/knockout52/law.py": "a stake in a refusal, below presentation",
    "engine/twentyone/deal.py": "a wager in a refusal, below presentation",
    "engine/twentyone/turns.py": "a wager in a refusal, below presentation",
    "engine/twentyone/wagers.py": "a wager in a refusal, below presentation",
}
"""Files with a formatter of their own, and why."""


def formatters() -> dict[str, list[str]]:
    """Lines of the package that write money, percentages or totals by hand, by file."""
    hits: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in (".py", ".js", ".html"):
            lines = [line.strip() for line in path.read_text("utf-8").splitlines() if FORMATTERS.search(line)]
            if path.suffix == ".html":
                lines = [line for line in lines if "| format" in line]
            if lines:
                hits[path.relative_to(PACKAGE).as_posix()] = lines
    return hits


def test_money_and_percentages_are_written_in_presentation_only() -> None:
    hits = formatters()
    assert {file: lines for file, lines in hits.items() if file not in SAYS_ITSELF} == {}
    assert set(SAYS_ITSELF) <= set(hits), "an exception that is no longer needed"


@pytest.mark.parametrize(
    "line",
    [
        'f"{share:.2%}"',
        'f"{100 * share:.3f} %"',
        'f"{edge:.4f} %"',
        'f"${cents / 100:,.2f}"',
        "format_cents(cents, symbol=True)",
        'f"soft {total}"',
        "share.toFixed(2)",
        '{{ "%.2f" | format(edge) }}',
    ],
)
def test_a_second_formatter_is_seen(line: str) -> None:
    assert FORMATTERS.search(line)


MOST_COLUMNS = 140


def test_styles_and_templates_have_lines_that_people_read() -> None:
    files = [*(PACKAGE / "web").rglob("*.css"), *(PACKAGE / "web").rglob("*.html")]
    assert files
    long = [
        f"{path.name}:{number}"
        for path in files
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if len(line) > MOST_COLUMNS
    ]
    assert long == []


NO_NOUNS = frozenset({"asked", "found", "given", "told"})
# What stands around a name that is bound: a look at the text saves reading most files as a tree.
MAY_BE_BOUND = re.compile(
    r"\b_?(?:{0})_?\s*(?:[:,)\]({{]|=(?!=)|in\b)|(?:\b(?:as|def|class)\s+|\*)_?(?:{0})_?\b".format(
        "|".join(NO_NOUNS)
    )
)
COMPILERS = ("compiled_for", "inlined", "kernel", "njit")
NO_NOUNS_ALLOWED = {
    "cli/shapes/signs.py": {"asked"},  # a field of the JSON
    "library/hand.py": {"found"},  # how people outside make a Hand
    "records/desk.py": {"asked", "found"},  # fields of a stored record
}


def is_compiled(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether numba compiles it: another name in it would only compile it anew."""
    decorators = (ast.unparse(decorator).partition("(")[0] for decorator in function.decorator_list)
    return any(decorator in COMPILERS for decorator in decorators)


def bound_names(tree: ast.AST) -> Iterator[str]:
    """Every name that a source gives: to a function, a parameter, an attribute and so on.

    >>> sorted(bound_names(ast.parse("def f(a, *b): c, self.d = a.x, (e := b)")))
    ['a', 'b', 'c', 'd', 'e', 'f']
    """
    nodes = [tree]
    while nodes:
        match node := nodes.pop():
            case ast.FunctionDef() | ast.AsyncFunctionDef() if is_compiled(node):
                continue
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.arg():
                yield node.arg
            case ast.Name(ctx=ast.Store()):
                yield node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.attr
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.alias(asname=str(name)):
                yield name
            case ast.ExceptHandler(name=str(name)):
                yield name
        nodes.extend(ast.iter_child_nodes(node))


def participles(source: str) -> set[str]:
    """The names of a source that say what was done to a thing, and not what it is."""
    if not MAY_BE_BOUND.search(source):
        return set()
    return {name for name in bound_names(ast.parse(source)) if name.strip("_") in NO_NOUNS}


@pytest.mark.slow
def test_names_say_what_a_thing_is() -> None:
    sources = {path.relative_to(PACKAGE).as_posix(): path for path in sorted(PACKAGE.rglob("*.py"))}
    named = {
        place: names for place, path in sources.items() if (names := participles(path.read_text("utf-8")))
    }
    assert named == NO_NOUNS_ALLOWED


@pytest.mark.parametrize(
    "source",
    [
        "found = match(text)",
        "if (told := news()):\n    pass",
        "class Ticket:\n    asked: int = 0",
        "def f(*, given: int) -> int: ...",
        "class Table:\n    def _found(self): ...",
        "def f(self):\n    self._told = []",
        "for asked in questions:\n    pass",
        "g = lambda found: found.id",
        "with opened() as given:\n    pass",
        "from x import y as found",
        "match x:\n    case [*told]:\n        pass",
    ],
)
def test_a_participle_for_a_noun_is_seen(source: str) -> None:
    assert len(participles(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "words = 'asked'; row = table.found",
        "@njit(cache=True)\ndef kernel(shoe):\n    found = 0\n    return found",
        "secret_is_told = True; asked_at = now",
    ],
)
def test_other_names_may_hold_the_word(source: str) -> None:
    assert participles(source) == set()


def test_made_up_input_is_the_same_whatever_a_process_has_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hypothesis would take numbers from our modules, as many as tests before have had read."""
    drawn: list[int] = []

    @settings(derandomize=True, database=None, max_examples=300)
    @given(integers())
    def draw(number: int) -> None:
        drawn.append(number)

    draw()
    before, drawn[:] = tuple(drawn), []
    names = [f"read_by_a_test_{number}" for number in range(20)]
    for number, name in enumerate(names):
        (tmp_path / f"{name}.py").write_text(
            f"x = {[7_000_003 + 1000 * number + one for one in range(50)]}\n"
        )
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in names:
        importlib.import_module(name)
    draw()
    for name in names:
        del sys.modules[name]
    assert tuple(drawn) == before
