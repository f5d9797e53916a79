import { createCache } from '../../../kit/cache.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import type { FrozenGraph, FrozenStep } from '../graph/structure.ts'
import { selectVersion } from './sql.ts'

interface VersionKey {
  projectId: string
  workflowId: string
  version: number
}

interface Version {
  steps: ReadonlyMap<string, FrozenStep>
  bytes: number
}

const maxBytes = 40_000_000
// With what is prepared of the lists of its conditions, which lives as long.
const bytesPerCharacter = 12

// Never invalidated: a version does not change.
const versionCache = perWorld((world) =>
  createCache<VersionKey, Version | null>({
    max: 2_000,
    weight: { max: maxBytes, weigh: ({ answer }) => answer?.bytes ?? 1 },
    nameOf: ({ projectId, workflowId, version }) => `${projectId} ${workflowId} ${version}`,
    load: (key) => load(world, key),
  }),
)

async function load({ db }: World, { projectId, workflowId, version }: VersionKey): Promise<Version | null> {
  const [row] = await db.run(selectVersion, [projectId, workflowId, version])
  if (!row) return null
  const steps = new Map((row.graph as FrozenGraph).steps.map((step) => [step.id, step]))
  return { steps, bytes: bytesPerCharacter * JSON.stringify(row.graph).length }
}

/** A step of a version; null when the version does not have it. */
export async function stepOfVersion(world: World, key: VersionKey, stepId: string): Promise<FrozenStep | null> {
  const version = await versionCache(world).find(key)
  return version?.steps.get(stepId) ?? null
}
