import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sources } from './help/sources.ts'

const texts = [
  ...sources('src', /\.(ts|js|prisma)$/),
  ...sources('prisma', /\.(ts|js|prisma|sql)$/),
  ...sources('test', /\.(ts|mjs|txt)$/),
  ...sources('.github', /\.ya?ml$/),
].filter(({ path }) => !path.startsWith('test/help/graphql/') && path !== 'test/citations.test.ts')

// A name ending in a document's extension, in a comment or a text. Code that handles files of users names no document.
const cited = /(?<![\w./*-])((?:[\w-]+\/)*[\w-]+\.md)\b/g

test('every document that is cited is in the repository', () => {
  const missing = texts.flatMap(({ path, text }) =>
    [...text.matchAll(cited)].flatMap(([, name = '']) => {
      const places = [join(root, name), join(root, path, '..', name), join(root, 'test/bench', name)]
      return places.some((place) => existsSync(place)) ? [] : [`${path} cites ${name}`]
    }),
  )
  expect(missing).toEqual([])
})

// "([6], [8])", "reference facts 7.4" and "facts [5.2]" in a comment say nothing to who does not have that document.
const bareSection = /^\s*(\/\/|\*|\/\*\*|\/\/\/).*(\(\[\d[\d.]*\]|\bfacts,? \[?\d)/

test('no section of a document is cited by its bare number', () => {
  const bare = texts.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) => (bareSection.test(line) ? [`${path}:${at + 1}`] : [])),
  )
  expect(bare).toEqual([])
})
