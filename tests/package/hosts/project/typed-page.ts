/** Uses that a page's own types have to fit. */

import { colorize, loadFrom, sinusoidal, type Tensor } from 'posenc';
import { PosencHeatmap, PosencRotary } from 'posenc/element';

await loadFrom(await fetch('posenc.wasm'));
const table = sinusoidal({ dim: 8 }).encode(3);
const pixels = colorize(table, { colormap: new Uint8Array(8), domain: [-1, 1] });
export const image = new ImageData(pixels, 8, 3);

const heatmap = document.createElement('posenc-heatmap');
heatmap.preset = 'fairseq';
await heatmap.ready;
export const defined: boolean = heatmap instanceof PosencHeatmap;
export const shown: Tensor | undefined = heatmap.table;
// @ts-expect-error: there is no such theme
heatmap.theme = 'blue';

const rotary = document.createElement('posenc-rotary');
rotary.rotaryLayout = 'interleaved';
rotary.scaling = 'linear factor=4';
export const turned: boolean = rotary instanceof PosencRotary;
export const cosines: Tensor | undefined = rotary.tables?.cos;
// @ts-expect-error: it is a rotary encoding
rotary.preset = 'fairseq';
// @ts-expect-error: its tables are computed
rotary.tables = undefined;
