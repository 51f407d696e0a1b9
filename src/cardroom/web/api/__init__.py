"""The API, version 1: what programs may ask, and the pages through it."""
