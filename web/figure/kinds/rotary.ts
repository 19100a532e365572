import { FAMILIES } from '../../spec/families.ts';
import { MAX_POSITION } from '../../spec/ranges.ts';
import { parseScaling } from '../scaling.ts';
import type { Kind } from '../types.ts';

export const kind: Kind = {
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
