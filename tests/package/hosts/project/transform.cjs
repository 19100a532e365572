// Makes a module CommonJS, for Jest.
exports.process = (source) => require('esbuild').transformSync(source, { format: 'cjs' });
