import { readFileSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './sources.ts'

interface Locked {
  version?: string
  dev?: boolean
  optional?: boolean
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }

/** The version of a package at the top of `node_modules`. */
export function versionOf(name: string): string {
  const version = lock.packages[`node_modules/${name}`]?.version
  if (version === undefined) throw new Error(`${name} is not installed`)
  return version
}

/** What `npm ci --omit=dev` installs, by folder from the root (`node_modules/zod`), with its entry in the lock file. */
export const productionPackages: [folder: string, locked: Locked][] = Object.entries(lock.packages).filter(
  ([folder, { dev }]) => folder !== '' && !dev,
)

/** The size on disk of a folder, in bytes, as du counts it; 0 when it does not exist. */
export async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const stats = await Promise.all(entries.map((entry) => lstat(join(folder, entry))))
  return stats.reduce((sum, { blocks }) => sum + blocks * 512, 0)
}
