#!/bin/sh
# Makes a virtual environment with the first Python on the path that is new enough.
set -eu
target=$1
for python in python3 python3.13 python3.12 python3.11 python3.14 python; do
    if "$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
        echo "Making $target with $("$python" --version)"
        exec "$python" -m venv "$target"
    fi
done
echo "Cardroom needs Python 3.11 or later with its venv module (on Debian and Ubuntu: apt install python3-venv)." >&2
exit 2
