"""`python -m cardroom` is the command `cardroom`."""

from cardroom.cli import main

main()
