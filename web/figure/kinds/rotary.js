import { FAMILIES } from '../../spec/families.js';
import { MAX_POSITION } from '../../spec/ranges.js';
import { parseScaling } from '../scaling.js';

/** @type {import('../types.js').Kind} */
export const kind = {
  name: 'rotary',
  ...FAMILIES.rotary,
  waves: true,
  limits: () => ({ first: -MAX_POSITION, last: MAX_POSITION }),
  spec: ({ dim, rotaryDim, base, rotaryLayout: layout, scaling, start, numerics }) => ({
    ...{ dim, base, layout, start, numerics },
    ...(rotaryDim !== null && { rotaryDim }),
    ...(scaling !== null && { scaling: parseScaling(scaling) }),
  }),
};
