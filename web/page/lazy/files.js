import * as files from 'posenc/files';
import { openFile, readText, tableOf } from '../files/open.js';

Object.assign(globalThis, { posencFiles: { ...files, openFile, readText, tableOf } });
