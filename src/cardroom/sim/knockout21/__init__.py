"""Knockout 21 settled and simulated at size."""
