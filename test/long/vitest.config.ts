import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** How `npm run test:long` runs: one file after the other, each with a PostgreSQL of its own. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/long/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 3_600_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    disableConsoleIntercept: true,
  },
})
