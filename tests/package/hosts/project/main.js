import { compute } from './consumer.js';

console.log(JSON.stringify(await compute()));
