import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sources } from './help/sources.ts'

const maxFilesPerFolder = 12
const minLines = 20

const modules = sources('src/modules', /\.ts$/).filter(({ path }) => !/\/views\//.test(path))
const filesOf = Map.groupBy(modules, ({ path }) => dirname(path))

test('tests stand where what they test stands', () => {
  const folders = sources('test', /\.test\.ts$/).flatMap(({ path }) => /^test\/((?:kit|modules|server|start)\b.*)\//.exec(path)?.[1] ?? [])
  expect(new Set(folders).size).toBeGreaterThan(20)
  expect([...new Set(folders)].filter((folder) => !existsSync(join(root, 'src', folder)))).toEqual([])
})

test('every module has its place in the order of modules', () => {
  const folders = [...new Set(modules.flatMap(({ path }) => /^src\/modules\/([^/]+)\//.exec(path)?.[1] ?? []))]
  const [order = ''] = /const order = \[[^\]]+\]/.exec(readFileSync(join(root, 'test/imports.config.mjs'), 'utf8')) ?? []
  const placed = [...order.matchAll(/[a-z]+(?=['|])/g)].map(([name]) => name)
  expect(folders.filter((folder) => !placed.includes(folder))).toEqual([])
  expect(placed.filter((name) => !folders.includes(name))).toEqual([])
})

test(`a folder of a module has at most ${maxFilesPerFolder} files: more are stages of the work, with folders of their own`, () => {
  const full = [...filesOf].filter(([, files]) => files.length > maxFilesPerFolder).map(([folder, files]) => `${folder}: ${files.length}`)
  expect(full).toEqual([])
})

test('two files of a folder do not begin with the same word: they are a folder', () => {
  const shared = [...filesOf].flatMap(([folder, files]) => {
    const words = files.map(({ path }) => basename(path)).flatMap((name) => /^(\w+)-/.exec(name)?.[1] ?? [])
    return words.filter((word, at) => words.indexOf(word) !== at).map((word) => `${folder}/${word}-…`)
  })
  expect(shared).toEqual([])
})

test(`a file of operations has at least ${minLines} lines, or two others use it`, () => {
  const adapters = /\/(rest|graphql|jobs|pages|shapes|sql|thread)\.ts$/
  // A stage may begin with one short file.
  const isAlone = (path: string) => filesOf.get(dirname(path))?.length === 1
  const small = modules.filter(({ path, text }) => !adapters.test(path) && !isAlone(path) && text.trimEnd().split('\n').length < minLines)
  const users = (path: string) =>
    sources('src', /\.ts$/).filter((other) => other.path !== path && new RegExp(`/${basename(path).replace('.', '\\.')}'`).test(other.text))
  expect(small.filter(({ path }) => users(path).length < 2).map(({ path }) => path)).toEqual([])
})
