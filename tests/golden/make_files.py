#!/usr/bin/env python3
"""Makes the files of weights: `make_files.py` writes tests/golden/files, `make_files.py --check` compares them with the
files on disk.

Needs numpy, which writes the .npy files, and safetensors 0.8 from PyPI, whose own writer makes the .safetensors file. The
values of every tensor that can be read are also in expected.tsv, as float32 made by numpy's casts:

    file tensor shape float32

`shape` has its sizes with commas between them, `float32` the hexadecimal patterns of the values in row-major order.
"""

import io
from pathlib import Path

import numpy as np
from record import record
from safetensors import TensorSpec, serialize

FOLDER = Path(__file__).parent / 'files'

THIRDS = ((np.arange(24, dtype='<f8') - 7.5) / 3).reshape(2, 3, 4)
HALVES = np.array(
    [0x0000, 0x8000, 0x0001, 0x8001, 0x03FF, 0x0400, 0x3C00, 0xBC00, 0x3555, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00],
    dtype='<u2',
).view('<f2')
# Ties and neighbours of ties between two float32; too large and too small for any.
DOUBLES = np.array(
    [1 + 2**-24, 1 + 2**-24 + 2**-52, 1 + 3 * 2**-24, 0.1, -1 / 3, 1e39, -1e39, 1e-46, 2**-149, 2**-150, -0.0, np.inf],
    dtype='<f8',
)
# The same between 2^53 and 2^64, where a cast by way of float64 would round twice.
INTEGERS = [0, 1, -1, 2**24 + 1, 2**24 + 3, -(2**53) - 1, 2**62 + 2**38, 2**62 + 2**38 + 1, -(2**62) - 2**38 - 1, 2**63 - 1]
UNSIGNED = [0, 2**53 + 1, 2**63 + 2**39, 2**63 + 2**39 + 1, 2**63 + 3 * 2**39 - 1, 2**64 - 1]


def nearest(integers):
    """Python's exact integers to float32, ties to even."""
    values = []
    for integer in integers:
        size = abs(integer)
        shift = max(size.bit_length() - 24, 0)
        kept, rest = size >> shift, size & ((1 << shift) - 1)
        half = 1 << shift >> 1
        kept += shift > 0 and (rest > half or (rest == half and kept % 2 == 1))
        values.append(float(kept << shift) * (-1 if integer < 0 else 1))
    return np.array(values, dtype='<f4')


def arrays():
    """Name, array, and its float32 if the array is one to be read."""
    yield 'float32', THIRDS.astype('<f4'), THIRDS.astype('<f4')
    yield 'float16', HALVES, HALVES.astype('<f4')
    yield 'float64', DOUBLES, DOUBLES.astype('<f4')
    for kind in ['|i1', '|u1', '<i2', '<u2', '<i4', '<u4']:
        limits = np.iinfo(kind)
        array = np.array([limits.min, 0, 1, limits.max // 3, limits.max], dtype=kind)
        yield array.dtype.name, array, array.astype('<f4')
    yield 'int64', np.array(INTEGERS, dtype='<i8'), nearest(INTEGERS)
    yield 'uint64', np.array(UNSIGNED, dtype='<u8'), nearest(UNSIGNED)
    yield 'scalar', np.array(1.5, dtype='<f4'), np.array(1.5, dtype='<f4')
    yield 'vector', np.arange(5, dtype='<f4'), np.arange(5, dtype='<f4')
    yield 'empty', np.zeros((0, 3), dtype='<f4'), np.zeros((0, 3), dtype='<f4')
    for name, array, values in [('float16', HALVES, HALVES.astype('<f4')), ('float64', DOUBLES, DOUBLES.astype('<f4'))]:
        yield f'big-endian-{name}', array.astype(array.dtype.newbyteorder('>')), values
    for kind in ['>i2', '>u2', '>i4', '>u4']:
        limits = np.iinfo(kind)
        array = np.array([limits.min, 0, 1, limits.max // 3, limits.max], dtype=kind)
        yield f'big-endian-{array.dtype.name}', array, array.astype('<f4')
    yield 'big-endian-int64', np.array(INTEGERS, dtype='>i8'), nearest(INTEGERS)
    yield 'big-endian-uint64', np.array(UNSIGNED, dtype='>u8'), nearest(UNSIGNED)
    yield 'big-endian', THIRDS.astype('>f4'), THIRDS.astype('<f4')
    # Transposed arrays as numpy.save writes them.
    yield 'fortran', THIRDS.astype('<f4').T, THIRDS.astype('<f4').T
    yield 'fortran-matrix', THIRDS[0].astype('>f8').T, THIRDS[0].astype('<f4').T
    integers = np.arange(120, dtype='<i2').reshape(5, 4, 1, 3, 2).T
    yield 'fortran-integers', integers, integers.astype('<f4')
    yield 'bool', np.array([[True], [False], [True]]), np.array([[1], [0], [1]], dtype='<f4')
    yield 'complex', np.array([1 + 2j], dtype='<c8'), None
    yield 'structured', np.array([(1.0, 2)], dtype=[('weight', '<f4'), ('id', '<i4')]), None
    yield 'strings', np.array(['a', 'bc']), None


def npy(array, version):
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=version)
    return file.getvalue()


def tensors():
    """Name, safetensors' name of the dtype, bytes as an array, and float32 if the tensor is one to be read."""
    bfloats = np.array([0x0000, 0x8000, 0x3F80, 0xBF80, 0x3EAB, 0x0001, 0x7F7F, 0x7F80, 0xFF80, 0x7FC0], dtype='<u2')
    widened = (bfloats.astype('<u4') << 16).view('<f4')
    yield 'wte.weight', 'float32', THIRDS.astype('<f4'), THIRDS.astype('<f4')
    yield 'wpe.weight', 'float16', HALVES.reshape(7, 2), HALVES.reshape(7, 2).astype('<f4')
    yield 'ln.bias', 'bfloat16', bfloats.reshape(2, 5), widened.reshape(2, 5)
    yield 'nothing', 'float16', np.zeros((0, 4), dtype='<f2'), np.zeros((0, 4), dtype='<f4')
    yield 'scale', 'float32', np.array(0.125, dtype='<f4'), np.array(0.125, dtype='<f4')
    yield 'ids', 'int64', np.arange(3, dtype='<i8'), None
    yield 'double', 'float64', THIRDS[0, 0], None


def safetensors():
    kept = list(tensors())
    specs = {
        name: TensorSpec(dtype=dtype, shape=list(array.shape), data_ptr=array.ctypes.data, data_len=array.nbytes)
        for name, dtype, array, _ in kept
    }
    return bytes(serialize(specs, {'note': 'é'}))


def line(file, tensor, values):
    patterns = ' '.join(f'{pattern:08x}' for pattern in values.reshape(-1).view('<u4'))
    return '\t'.join([file, tensor, ','.join(map(str, values.shape)), patterns]) + '\n'


def files():
    lines = ['\t'.join(['file', 'tensor', 'shape', 'float32']) + '\n']
    for name, array, values in arrays():
        yield f'{name}.npy', npy(array, (1, 0))
        if values is not None:
            lines.append(line(f'{name}.npy', '', values))
    for version in [(2, 0), (3, 0)]:
        yield f'version{version[0]}.npy', npy(THIRDS.astype('<f4'), version)
        lines.append(line(f'version{version[0]}.npy', '', THIRDS.astype('<f4')))
    yield 'weights.safetensors', safetensors()
    for name, _, _, values in tensors():
        if values is not None:
            lines.append(line('weights.safetensors', name, values))
    yield 'expected.tsv', ''.join(lines).encode()


if __name__ == '__main__':
    FOLDER.mkdir(exist_ok=True)
    with np.errstate(over='ignore'):
        record([(f'files/{name}', content) for name, content in files()])
