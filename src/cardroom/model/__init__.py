"""Rules compiled to tables: the automaton of hands, strategies and charts."""
