"""Probabilities and expected values, exact."""

from cardroom.core.kernels import prepare_kernels

prepare_kernels("exact")
