import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** How tests run: one embedded PostgreSQL for all, a database of its own for each file. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/help/postgres.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
  },
})
