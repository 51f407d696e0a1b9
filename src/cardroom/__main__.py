"""`python -m cardroom` is the command `cardroom`."""

from cardroom.cli import main

raise SystemExit(main())
