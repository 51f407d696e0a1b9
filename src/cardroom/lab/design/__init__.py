"""The designer: a side bet or house rules as somebody writes them, checked and in figures."""
