const { load, sinusoidal } = require('posenc');
const { readNpy, writeNpy } = require('posenc/files');
const { permuteRotary } = require('posenc/models');

load()
  .then(() => readNpy(writeNpy(sinusoidal({ dim: 7 }).encode(280))))
  .then((table) => permuteRotary(table, { heads: 28, dim: 10, to: 'half' }))
  .then((halves) => permuteRotary(halves, { heads: 28, dim: 10, to: 'interleaved' }))
  .then(({ data }) => console.log(JSON.stringify([...data])));
