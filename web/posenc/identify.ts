export { load, loadFrom } from 'posenc';
export { identify } from './identify/identify.ts';
