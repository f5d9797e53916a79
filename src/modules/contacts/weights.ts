import type { Rewritten } from '../../kit/lanes.ts'
import { recent } from '../../kit/recent.ts'
import { perWorld, type World } from '../../kit/world.ts'
import type { DataPatch } from './data.ts'

/** A write to the contact of an address. */
interface Write {
  projectId: string
  email: string
  patch: Pick<DataPatch, 'bytes' | 'removed'>
}

/** How many bytes more than their writes stored the contacts of a project had, on average of the last ones. */
interface Mean {
  bytes: number
  contacts: number
}

const rememberedMs = 5 * 60_000
const littleBytes = 4 * 1024
const contactsOfMean = 64
const weights = perWorld(() => ({
  /** Until when something of what follows is remembered. */
  until: Number.NEGATIVE_INFINITY,
  contacts: recent<string, number>({ max: 20_000, ttlMs: rememberedMs }),
  projects: recent<string, Mean>({ max: 10_000, ttlMs: rememberedMs }),
}))

/**
 * About how many bytes of custom data are read and written again by some writes that change data, however little of it. `known` are those
 * of contacts that this process has found to have much within 5 minutes; `likely` adds the mean of the last ones of their project for the
 * others.
 */
export function rewrittenBytes(world: World, writes: readonly Write[]): Rewritten {
  const { contacts, projects, until } = weights(world)
  let [known, likely] = [0, 0]
  if (performance.now() > until) return { known, likely }
  for (const { projectId, email, patch } of writes) {
    if (patch.bytes === 0 && patch.removed.length === 0) continue
    const bytes = contacts.get(keyOf(projectId, email))
    known += bytes ?? 0
    likely += bytes ?? projects.get(projectId)?.bytes ?? 0
  }
  return { known, likely }
}

/** Takes note of how many bytes of data the contacts have that were just written; `bytes` are those of `writes`, in order. */
export function noteStoredBytes(world: World, writes: readonly Write[], bytes: readonly number[]): void {
  const all = weights(world)
  const { contacts, projects } = all
  const now = performance.now()
  for (const [at, { projectId, email, patch }] of writes.entries()) {
    const stored = bytes[at] ?? 0
    if (stored <= littleBytes && now > all.until) continue
    if (stored > littleBytes) all.until = now + rememberedMs
    const key = keyOf(projectId, email)
    const isKnown = contacts.get(key) !== undefined
    if (isKnown || stored > littleBytes) contacts.set(key, stored)
    if (isKnown) continue
    // What the call itself stores is no surprise; as jsonb it takes a little more.
    const more = stored > 2 * patch.bytes + littleBytes ? stored - patch.bytes : 0
    const mean = projects.get(projectId) ?? { bytes: 0, contacts: 0 }
    const counted = Math.min(mean.contacts + 1, contactsOfMean)
    projects.set(projectId, { bytes: mean.bytes + (more - mean.bytes) / counted, contacts: counted })
  }
}

const keyOf = (projectId: string, email: string): string => `${projectId} ${email}`
