import { defineConfig } from '@playwright/test';
import { launchOptions } from './browser.ts';

/** Chromium with other fonts than those of the project chromium, for tests of layout: of heights, which formulas change, or of widths alone. */
const withFonts = (name: string, grep: RegExp) => ({
  name,
  testMatch: '*.test.ts',
  grep,
  use: { launchOptions: launchOptions([], undefined, name) },
});

/** `npm test` runs all but firefox, which `npm run test:all` adds. */
export default defineConfig({
  testDir: '.',
  tsconfig: '../../tsconfig.json',
  snapshotPathTemplate: '{testDir}/../records/page/{arg}{ext}',
  outputDir: '../../build/browser-tests',
  globalSetup: './serve.ts',
  projects: [
    { name: 'chromium', testMatch: '*.test.ts' },
    withFonts('dejavu', /@height|@width/),
    withFonts('latin-modern', /@height/),
    { name: 'firefox', testMatch: '*.all.ts' },
  ],
  workers: 2,
  fullyParallel: true,
  retries: 0,
  // Enough for a machine that does four other things; a test ends when what it waits for is there.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    launchOptions: launchOptions(),
    viewport: { width: 1440, height: 900 },
    // Motion is tested where it is asked for.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording takes time: `--trace on` does it.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
});
