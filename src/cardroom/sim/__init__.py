"""Rules and strategy compiled to arrays, and the kernels that play them by the billion."""

from cardroom.core.kernels import forget_stale_kernels

forget_stale_kernels("sim")
