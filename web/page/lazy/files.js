import * as files from 'posenc/files';
import { openTable } from '../open.js';

Object.assign(globalThis, { posencFiles: { ...files, openTable } });
