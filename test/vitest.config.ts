import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

// Processes and threads that tests start load compiled code, as those of `npm start` do: each starts in half the time.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compiled-tests', import.meta.url))

/** How tests run: one embedded PostgreSQL for all, and one database per test file. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  // Packages as Node itself resolves them: a second copy of graphql would not recognize the errors of the first.
  ssr: { resolve: { conditions: ['node', 'module-sync'], externalConditions: ['node', 'module-sync'] } },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/long/**'],
    globalSetup: ['test/help/postgres.ts'],
    setupFiles: ['test/help/seed.ts'],
    pool: 'forks',
    // Each of the processes loads the program once instead of once per file, which was a third of the time. What belongs to a
    // world is kept per world, so that files share nothing but code.
    isolate: false,
    // More than cores of a small machine: a fifth of the time tests wait for mail servers, browsers and processes that they kill.
    maxWorkers: 3,
    // Nothing is measured by them: they only end what hangs, also on a machine that is a few times slower.
    testTimeout: 120_000,
    // Other test files share the server: their open transactions hold the readers of the log back.
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
  },
})
