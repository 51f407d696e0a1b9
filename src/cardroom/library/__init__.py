"""The library as people import it: games, hands, charts and simulations as small objects with a picture each.

`import cardroom as cr` is the way in; `cardroom.__all__` lists all that is promised. Strings and plain
numbers go in, and what comes out prints in a line or two, shows itself in a notebook and becomes a data
frame.
"""
