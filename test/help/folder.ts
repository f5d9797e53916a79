import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A new empty folder, removed after the file's tests. */
export async function freshFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'postwire-test-'))
  afterAll(() => rm(path, { recursive: true, force: true }))
  return path
}
