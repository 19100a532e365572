/** Comparisons with the NumPy and the PyTorch that are here, in one Python. */

import './live/npy.ts';
import './live/page-code.ts';
import './live/resample.ts';
import './live/rotations.ts';
import './live/slips.ts';
