import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The root of the checkout. */
export const root = join(import.meta.dirname, '..', '..')

/** A file of the project. */
export interface Source {
  /** Relative to the root, with forward slashes. */
  path: string
  text: string
}

/** Every tracked or untracked file under a folder with an ending, except ignored ones. */
export function sources(under: string, ending: RegExp): Source[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', under], { cwd: root, encoding: 'utf8' })
  const paths = listed.split('\n').filter((path) => ending.test(path))
  return paths.flatMap((path) => {
    const text = readIfExists(join(root, path))
    return text === undefined ? [] : [{ path, text }]
  })
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
