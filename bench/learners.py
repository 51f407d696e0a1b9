"""Learning libraries of others on the environments of the wheel: their checkers pass, their learners run.

`python -m bench.learners` builds the wheel and makes a fresh environment with it, Gymnasium, PyTorch,
Stable-Baselines3 and its contributed learners, which are no dependencies of ours; pip has to find them
(`--torch torch==2.13.0` picks a build). In there it runs both checkers on every environment, and PPO and
MaskablePPO for some thousand steps each. A line says what each came to; an error ends it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LIBRARIES = ("stable-baselines3", "sb3-contrib")
NAME = "cardroom/Blackjack-v1"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=4096, help="that each learner takes")
    parser.add_argument("--torch", default="torch", help="what to install as PyTorch")
    parser.add_argument("--here", action="store_true", help="use the environment that runs this")
    options = parser.parse_args()
    if options.here:
        checkers()
        learners(options.steps)
        return
    with tempfile.TemporaryDirectory() as folder:
        python = fresh(Path(folder), options.torch)
        words = [str(python), "-I", __file__, "--here", "--steps", str(options.steps)]
        subprocess.run(words, cwd=folder, check=True)


def fresh(folder: Path, torch: str) -> Path:
    """An environment with the wheel and the libraries; its Python."""
    print("building the wheel, installing it and the libraries", flush=True)
    build = [sys.executable, "-m", "pip", "-qq", "wheel", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "--wheel-dir", str(folder), str(ROOT)], check=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "environment", with_pip=True)
    python = folder / "environment" / "bin" / "python"
    asked = [f"cardroom-lab[gym] @ {wheel.as_uri()}", torch, *LIBRARIES]
    subprocess.run([str(python), "-m", "pip", "-qq", "install", *asked], check=True)
    return python


def checkers() -> None:
    """Gymnasium's and Stable-Baselines3's, on every environment."""
    import gymnasium
    import stable_baselines3
    from gymnasium.utils.env_checker import check_env as check_gymnasium
    from stable_baselines3.common.env_checker import check_env as check_baselines

    from cardroom.envs import environments

    print(f"gymnasium {gymnasium.__version__}, stable-baselines3 {stable_baselines3.__version__}")
    for name in environments():
        # A checker draws actions without regard to masks: in these a wrong one costs instead of raising.
        kind = {} if "Knockout" in name else {"illegal": "penalty"}
        check_gymnasium(gymnasium.make(name, **kind).unwrapped, skip_render_check=True)
        check_baselines(gymnasium.make(name, **kind))
        print(f"{name}: both checkers pass", flush=True)


def learners(steps: int) -> None:
    """PPO, which has to learn what is allowed, and MaskablePPO, which is told."""
    import gymnasium
    from sb3_contrib import MaskablePPO
    from stable_baselines3 import PPO

    import cardroom.envs  # noqa: F401 it registers the environments

    for learner, kind in ((PPO, {"illegal": "penalty"}), (MaskablePPO, {})):
        environment: Any = gymnasium.make(NAME, **kind)
        begin = time.perf_counter()
        model: Any = learner("MultiInputPolicy", environment, n_steps=1024, batch_size=256, seed=1)
        model.learn(steps)
        seconds = time.perf_counter() - begin
        print(f"{learner.__name__}: {model.num_timesteps:,} steps on {NAME} in {seconds:.1f} s", flush=True)


if __name__ == "__main__":
    main()
