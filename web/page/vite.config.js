import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { noticesFile } from '../posenc/publish/notices.js';
import { glue, inlineBinary, templates } from '../posenc/vite.config.js';

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));

/**
 * A sandboxed frame has an opaque origin and loads module scripts and `crossorigin` resources only if the host sends CORS
 * headers. Plain tags work everywhere.
 */
const plainTags = {
  name: 'page:plain-tags',
  transformIndexHtml: {
    order: /** @type {const} */ ('post'),
    handler: (/** @type {string} */ html) =>
      html.replace('<script type="module" crossorigin', '<script defer').replaceAll(' crossorigin href=', ' href='),
  },
};

/** Replaces figure/chart.js by chart.js in all scripts except lazy/chart.js. */
const chartApart = {
  name: 'page:chart-apart',
  enforce: /** @type {const} */ ('pre'),
  resolveId: (/** @type {string} */ id, /** @type {string} */ importer = '') =>
    id.endsWith('figure/chart.js') || id === '../chart.js'
      ? path(importer.includes('lazy/chart.js') ? '../figure/chart.js' : 'chart.js')
      : undefined,
};

/**
 * Builds the page into build/page: one classic script, one style sheet, and a separate classic script for each part loaded on
 * demand (lazy.js). `--mode embed` builds the page of a single figure beside it, since two pages can't share classic scripts.
 */
export default defineConfig(({ mode }) => ({
  // Relative addresses: the built page works in any folder of any host.
  base: './',
  build: {
    outDir: '../../build/page',
    emptyOutDir: mode !== 'embed',
    // A script that is loaded later resolves others relative to the page.
    assetsDir: '',
    target: 'es2022',
    cssCodeSplit: false,
    rolldownOptions: { input: mode === 'embed' ? 'embed.html' : 'index.html', output: { format: 'iife' } },
  },
  resolve: {
    alias: [
      glue,
      { find: /^posenc$/, replacement: path('../posenc/index.js') },
      { find: 'posenc/identify', replacement: path('../posenc/identify.js') },
    ],
  },
  worker: { plugins: () => [inlineBinary, chartApart, templates] },
  plugins: [inlineBinary, plainTags, chartApart, templates, noticesFile],
}));
