"""Rules and strategy compiled to arrays, and the kernels that play them by the billion."""

from cardroom.core.kernels import prepare_kernels

prepare_kernels("sim")
