import { defineConfig } from 'vite';

export default defineConfig({
  // Relative addresses: the built page works in any folder of any host.
  base: './',
  build: {
    outDir: '../../build/page',
    emptyOutDir: true,
    target: 'es2022',
    // Every browser with WebAssembly SIMD that lacks modulepreload merely loads a little later.
    modulePreload: { polyfill: false },
  },
  // The package is this repository's own build: served as it is, and new after each build.
  optimizeDeps: { exclude: ['posenc'] },
  server: { fs: { allow: ['../..'] } },
});
