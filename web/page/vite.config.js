import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { glue, inlineBinary, plainChart, templates } from '../posenc/vite.config.js';

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));

/**
 * Module scripts and what is marked `crossorigin` are refused in a sandboxed frame, whose origin is nobody's, unless the host
 * sends CORS headers: plain tags work everywhere.
 */
const plainTags = {
  name: 'page:plain-tags',
  transformIndexHtml: {
    order: /** @type {const} */ ('post'),
    handler: (/** @type {string} */ html) =>
      html.replace('<script type="module" crossorigin', '<script defer').replaceAll(' crossorigin href=', ' href='),
  },
};

/** The scripts have what stands for the chart, but for the one that brings it. */
const chartApart = {
  name: 'page:chart-apart',
  enforce: /** @type {const} */ ('pre'),
  resolveId: (/** @type {string} */ id, /** @type {string} */ importer = '') =>
    id.endsWith('figure/chart.js') || id === '../chart.js'
      ? path(importer.includes('lazy/chart.js') ? '../figure/chart.js' : 'chart.js')
      : undefined,
};

/** The page's own script has what stands for `identify`, which lazy/identify.js brings. */
const identifyApart = {
  name: 'page:identify-apart',
  enforce: /** @type {const} */ ('pre'),
  resolveId: (/** @type {string} */ id) => (id === './identify/identify.js' ? path('identify.js') : undefined),
};

/**
 * Builds the page into build/page: one classic script, one style sheet, and a classic script of its own for what is loaded
 * when it is wanted (lazy.js). With `--mode embed` the page of one figure, beside it: two pages can't share classic scripts.
 */
export default defineConfig(({ mode }) => ({
  // Relative addresses: the built page works in any folder of any host.
  base: './',
  build: {
    outDir: '../../build/page',
    emptyOutDir: mode !== 'embed',
    // A script that is loaded later looks for the next one beside the page.
    assetsDir: '',
    target: 'es2022',
    cssCodeSplit: false,
    rolldownOptions: { input: mode === 'embed' ? 'embed.html' : 'index.html', output: { format: 'iife' } },
  },
  resolve: { alias: [glue, { find: /^posenc$/, replacement: path('../posenc/posenc.js') }] },
  worker: { plugins: () => [inlineBinary, chartApart, plainChart, templates] },
  plugins: [inlineBinary, identifyApart, plainTags, chartApart, templates],
}));
