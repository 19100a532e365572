import * as posencFiles from 'posenc/files';

Object.assign(globalThis, { posencFiles });
