"""A GPU for tests: CuPy's names over NumPy's memory, kernels compiled by the machine's own C++ compiler.

What the package hands to CuPy is taken as it stands: the text of a kernel, its macros, the arguments of a
launch. Only the lines of PTX in the text are put into C++. Threads of a block are fibers
(`cuda_on_the_cpu.cpp`), so that warps vote and blocks meet as on a device; shared memory is as large as was
asked for, and full of garbage.
"""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

COMPILER: Final = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
MULTIPROCESSORS: Final = 2
MOST_THREADS: Final = 1024
MOST_SHARED_BYTES: Final = 227 * 1024

_SHIM: Final = Path(__file__).with_suffix(".h")
_DEVICE: Final = Path(__file__).with_suffix(".cpp")
_OPTIONS: Final = ("-O1", "-fPIC", "-fno-strict-aliasing", "-ffp-contract=off")
_GUARD: Final = 64  # as in `cuda_on_the_cpu.cpp`
_PTX: Final = {
    "ld.shared.u8 %0, [%1];": "%0 = shared_at<unsigned char>(%1);",
    "ld.shared.u16 %0, [%1];": "%0 = shared_at<unsigned short>(%1);",
    "ld.shared.s32 %0, [%1];": "%0 = shared_at<int>(%1);",
    "ld.shared.f64 %0, [%1];": "%0 = shared_at<double>(%1);",
    "st.shared.u8 [%0], %1;": "shared_at<unsigned char>(%0) = (unsigned char)%1;",
    "red.shared.add.u32 [%0], 1;": "shared_at<unsigned>(%0) += 1;",
    "mov.b32 %0, %0;": "",
}
"""Instructions that kernels spell out, and what each does in C++."""


def in_cpp(code: str) -> str:
    """The text of a kernel with its lines of PTX in C++; an instruction that is not known is an error."""

    def put(found: re.Match[str]) -> str:
        operands = re.findall(r'"[=+]?[rd]"\((\w+)\)', found[2])
        return re.sub(r"%(\d)", lambda place: operands[int(place[1])], _PTX[found[1]])

    text = re.sub(r'\basm volatile\("([^"]+)"([^;]*)\);', put, code)
    assert not re.search(r"\basm\b", text)
    return text


class Address:
    """An address of the device, as CuPy has it, and the memory that keeps it good."""

    def __init__(self, memory: NDArray[Any], offset: int = 0) -> None:
        self.memory, self.offset = memory, offset

    @property
    def ptr(self) -> int:
        return self.memory.ctypes.data + self.offset if self.memory.size else 0

    def __add__(self, offset: int) -> Address:
        return Address(self.memory, self.offset + offset)


class DeviceArray(np.ndarray[Any, Any]):
    """An array of the device: NumPy's, with the address where CuPy has it."""

    def __new__(cls, shape: Any, kind: Any = np.float64, memptr: Address | None = None) -> DeviceArray:
        if memptr is None:
            return super().__new__(cls, shape, kind)
        return super().__new__(cls, shape, kind, np.asarray(memptr.memory), memptr.offset)

    @property
    def data(self) -> Any:  # CuPy's is of another type than NumPy's
        return Address(self)


def _on_device(make: Callable[..., NDArray[Any]]) -> Callable[..., NDArray[Any]]:
    return lambda *args, **kwargs: make(*args, **kwargs).view(DeviceArray)


class HostCupy:
    """What the package uses of CuPy; `folder` is for what the compiler makes."""

    ndarray = DeviceArray
    int64 = np.int64

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.libraries: dict[tuple[str, tuple[str, ...]], ctypes.CDLL] = {}
        self.launched: list[str] = []
        """The names of the kernels that ran."""
        self.asarray = _on_device(np.array)  # another memory than the host's
        self.zeros, self.ones = _on_device(np.zeros), _on_device(np.ones)
        self.ascontiguousarray = _on_device(np.ascontiguousarray)
        self.from_dlpack = _on_device(np.from_dlpack)
        runtime = SimpleNamespace(getDeviceCount=lambda: 1, CUDARuntimeError=OSError)
        device = SimpleNamespace(attributes={"MultiProcessorCount": MULTIPROCESSORS})
        self.cuda = SimpleNamespace(runtime=runtime, Device=lambda: device)

    def asnumpy(self, array: DeviceArray) -> NDArray[Any]:
        return np.array(array)

    def RawModule(self, *, code: str, options: tuple[str, ...]) -> HostModule:  # as CuPy spells it
        key = (code, options)
        if key not in self.libraries:
            self.libraries[key] = self._compiled(code, options)
        return HostModule(self, self.libraries[key])

    def _compiled(self, code: str, options: tuple[str, ...]) -> ctypes.CDLL:
        device = self.folder / "device.o"
        if not device.exists():
            _compile("-std=c++17", "-c", str(_DEVICE), "-o", str(device))
        names = re.findall(r'extern "C" __global__ void (?:__launch_bounds__\([^)]*\) )?(\w+)\(', code)
        after = [
            f'extern "C" void call_{name}(void **given) {{ call({name}, given); }}\n'
            f'extern "C" int takes_{name}(const int *sizes, int count) '
            f"{{ return takes({name}, sizes, count); }}"
            for name in names
        ]
        shared = re.search(r"extern __shared__ (\w+) shared\[\];", code)
        if shared is not None:
            room = MOST_SHARED_BYTES + _GUARD
            after.append(f"alignas(16) {shared[1]} shared[{room} / sizeof({shared[1]})];")
        stem = self.folder / f"kernel{len(self.libraries)}"
        source, library = stem.with_suffix(".cpp"), stem.with_suffix(".so")
        source.write_text("\n".join([in_cpp(code), *after]), encoding="utf-8")
        _compile("-include", str(_SHIM), *options, "-shared", str(source), str(device), "-o", str(library))
        return ctypes.CDLL(str(library))


class HostModule:
    """A compiled module."""

    def __init__(self, cupy: HostCupy, library: ctypes.CDLL) -> None:
        self.cupy, self.library = cupy, library

    def get_function(self, name: str) -> HostKernel:
        return HostKernel(self.cupy, self.library, name)


class HostKernel:
    """A kernel to launch."""

    def __init__(self, cupy: HostCupy, library: ctypes.CDLL, name: str) -> None:
        self.cupy, self.library, self.name = cupy, library, name
        self.max_dynamic_shared_size_bytes = 48 * 1024

    def __call__(
        self, grid: tuple[int], block: tuple[int], arguments: tuple[Any, ...], *, shared_mem: int = 0
    ) -> None:
        assert block[0] <= MOST_THREADS
        assert shared_mem <= self.max_dynamic_shared_size_bytes <= MOST_SHARED_BYTES
        values = [_value(argument) for argument in arguments]
        sizes = (ctypes.c_int * len(values))(*(value.nbytes for value in values))
        assert self.library[f"takes_{self.name}"](sizes, len(values)), "arguments of other sizes"
        given = (ctypes.c_void_p * len(values))(*(value.ctypes.data for value in values))
        launch = self.library["launch"]
        launch.restype = ctypes.c_char_p
        shared = ctypes.byref(ctypes.c_char.in_dll(self.library, "shared")) if shared_mem else None
        called = self.library[f"call_{self.name}"]
        failed = launch(called, given, int(grid[0]), int(block[0]), shared, shared_mem)
        assert failed is None, failed.decode()
        self.cupy.launched.append(self.name)


def _value(argument: Any) -> NDArray[Any]:
    """An argument as a kernel gets it: the address of an array of the device, or the number or record."""
    if isinstance(argument, DeviceArray):
        assert argument.flags.c_contiguous
        return np.array(argument.data.ptr, np.uintp)
    assert isinstance(argument, np.generic) or (isinstance(argument, np.ndarray) and argument.shape == ())
    return np.asarray(argument)


def _compile(*options: str) -> None:
    assert COMPILER is not None
    subprocess.run([COMPILER, *_OPTIONS, *options], check=True)
