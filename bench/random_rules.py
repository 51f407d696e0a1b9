"""Random house rules and depleted shoes through every way there is to compute a round.

python -m bench.random_rules                         # 200 cases, seed 2026
python -m bench.random_rules --cases 20 --first 40   # some of them again
"""

from __future__ import annotations

import argparse
from time import perf_counter

from cardroom.lab.random_rules import Finding, examine, random_case
from cardroom.lab.rule_sets import words

SEED = 2026
CASES = 200
ROUNDS = 200_000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--rounds", type=float, default=ROUNDS)
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    began, findings = perf_counter(), list[Finding]()
    for number in range(given.first, given.first + given.cases):
        case = random_case(number, seed=given.seed)
        finding = examine(case, rounds=int(given.rounds))
        findings.append(finding)
        print(
            f"{number:4} {case.kind:8} {finding.cards:3} cards  mean {finding.mean:+.6f}  "
            f"deviation {finding.deviation:.6f}  simulated {finding.simulated_off:+.2f} σ, "
            f"deviation {finding.deviation_off:+.2f} σ",
            flush=True,
        )
        for complaint in finding.complaints:
            print(f"     {complaint}\n     {words(case.changed)}\n     {case.shoe}", flush=True)
    _summary(findings, perf_counter() - began)
    return 1 if any(finding.complaints for finding in findings) else 0


def _summary(findings: list[Finding], seconds: float) -> None:
    compiled = [finding.exact_off for finding in findings if finding.exact_off is not None]
    engine = [finding.engine_off for finding in findings if finding.engine_off is not None]
    disagree = sum(bool(finding.complaints) for finding in findings)
    means = [abs(finding.simulated_off) for finding in findings]
    deviations = [abs(finding.deviation_off) for finding in findings]
    print(
        f"\n{len(findings)} cases in {seconds:.0f} s; {disagree} disagree\n"
        f"fractions against the compiled solver: {len(compiled)}, "
        f"no probability off by more than {max(compiled, default=0.0):.1e}\n"
        f"fractions against the engine's tree: {len(engine)}, "
        f"off by {max(engine, default=0)} at most\n"
        f"simulated: the mean off by {max(means):.2f} standard errors at most, "
        f"the deviation by {max(deviations):.2f}"
    )


if __name__ == "__main__":
    raise SystemExit(main())
