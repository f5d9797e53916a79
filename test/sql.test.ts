import { expect, test } from 'vitest'
import { sources } from './help/sources.ts'

// The server queries Postgres for health checks and metrics.
const allowed = /^src\/(kit\/|server\/(system|metrics)\.ts$|generated\/)/

test('hand-written SQL of modules is in sql.ts files', () => {
  const elsewhere = sources('src', /\.ts$/).flatMap(({ path, text }) =>
    !allowed.test(path) && !/\/sql\.ts$/.test(path) && /\b(statement|eraser)\s*(<[^>(]*>)?\(/.test(text) ? [path] : [],
  )
  expect(elsewhere).toEqual([])
})
