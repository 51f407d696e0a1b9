"""Rules and strategy compiled to arrays, and the kernels that play them by the billion."""
