/** Comparisons with the NumPy and the PyTorch that are here, in one Python. */

import './live/npy.js';
import './live/page-code.js';
import './live/resample.js';
import './live/rotations.js';
import './live/slips.js';
