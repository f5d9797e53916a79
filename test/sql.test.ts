import { expect, test } from 'vitest'
import { sources } from './help/sources.ts'

// The server asks Postgres about its own health and figures.
const allowed = /^src\/(kit\/|server\/(system|metrics)\.ts$|generated\/)/

test('hand-written SQL of modules stands in sql.ts files', () => {
  const elsewhere = sources('src', /\.ts$/).flatMap(({ path, text }) =>
    !allowed.test(path) && !/\/sql\.ts$/.test(path) && /\b(statement|eraser)\s*(<[^>(]*>)?\(/.test(text) ? [path] : [],
  )
  expect(elsewhere).toEqual([])
})
