const { load } = require('posenc');
const { readNpy, writeNpy } = require('posenc/files');

load()
  .then(({ sinusoidal }) => readNpy(writeNpy(sinusoidal({ dim: 7 }).encode(280))))
  .then(({ data }) => console.log(JSON.stringify([...data])));
