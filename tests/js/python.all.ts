/** Comparisons with the PyTorch that is here, in one Python. */

import './live/page-code.ts';
import './live/slips.ts';
