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

// A file name with the extension of a document, in a comment or a string.
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

// Such as "([6], [8])" and "facts [5.2]" in a comment, which mean nothing without the document.
const bareSection = /^\s*(\/\/|\*|\/\*\*|\/\/\/).*(\(\[\d[\d.]*\]|\bfacts,? \[?\d)/

test('no section of a document is cited by its bare number', () => {
  const bare = texts.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) => (bareSection.test(line) ? [`${path}:${at + 1}`] : [])),
  )
  expect(bare).toEqual([])
})
