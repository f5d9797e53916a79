import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dashboardFolder } from '../../src/kit/dashboard.ts'
import { root, sources } from '../help/sources.ts'

const assets = new URL('assets/', dashboardFolder)
const page = readFileSync(new URL('index.html', dashboardFolder), 'utf8')
const compressed = (name: string) => statSync(new URL(`${name}.gz`, assets)).size

/** What is loaded before the first page of a project is shown: the scripts and styles of index.html, and those its chunk imports. */
function firstLoad(): string[] {
  const named = [...page.matchAll(/assets\/([\w.-]+\.(?:js|css))/g)].map(([, name = '']) => name)
  const home = readdirSync(assets).filter((name) => /^home-[\w-]+\.(js|css)$/.test(name))
  const all = new Set<string>()
  const add = (name: string): void => {
    if (all.has(name)) return
    all.add(name)
    if (!name.endsWith('.js')) return
    const text = readFileSync(new URL(name, assets), 'utf8')
    for (const [, imported = ''] of text.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)) add(imported)
  }
  for (const name of [...named, ...home]) add(name)
  return [...all]
}

test('the first load of a project has at most 180 KB, compressed with gzip', () => {
  const files = firstLoad()
  expect(files.length).toBeGreaterThan(3)
  const bytes = files.reduce((sum, name) => sum + compressed(name), 0)
  expect(bytes, files.map((name) => `${name} ${compressed(name)}`).join('\n')).toBeLessThanOrEqual(180_000)
})

test('no other script of the dashboard has more than 120 KB, compressed with gzip', () => {
  const first = firstLoad()
  const others = readdirSync(assets).filter((name) => name.endsWith('.js') && !first.includes(name))
  expect(others.length).toBeGreaterThan(3)
  expect(others.filter((name) => compressed(name) > 120_000)).toEqual([])
})

test('what is built is newer than its sources (npm run generate builds it)', () => {
  const built = statSync(new URL('index.html', dashboardFolder)).mtimeMs
  const newer = sources('src/dashboard', /\.(tsx?|css|html|graphql)$/).filter(({ path }) => statSync(join(root, path)).mtimeMs > built)
  expect(newer.map(({ path }) => path)).toEqual([])
})
