import { createCache } from '../../../kit/cache.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import type { RenderTask } from '../message/thread.ts'
import type { ClaimedEmail } from '../queue/claim.ts'
import { readSigningKey } from './sql.ts'

/** The DKIM key of the domain an email is sent from, cached after the first read; null when the domain was removed. */
export async function signingKeyOf(
  world: World,
  { projectId, domainId }: Pick<ClaimedEmail, 'projectId' | 'domainId'>,
): Promise<RenderTask['key']> {
  return domainId === null ? null : keyCache(world).find({ projectId, domainId })
}

interface DomainKey {
  projectId: string
  domainId: string
}

// Never invalidated: the key of a domain does not change, and a domain that is added again has another id.
const keyCache = perWorld((world) =>
  createCache({
    max: 1_000,
    nameOf: ({ projectId, domainId }: DomainKey) => `${projectId}/${domainId}`,
    load: (domain) => readKey(world, domain),
  }),
)

async function readKey({ db, vault }: World, { projectId, domainId }: DomainKey): Promise<RenderTask['key']> {
  const [row] = await db.run(readSigningKey, [projectId, domainId])
  return row ? { domain: row.domain, selector: row.selector, pem: vault.open('dkim', row.sealed) } : null
}
