import { createCache } from '../../kit/cache.ts'
import { topic } from '../../kit/notices.ts'
import { perWorld, type World } from '../../kit/world.ts'
import { findVerified } from './sql.ts'

/** Notices of projects whose domains have changed. */
export const domainsTopic = topic('domains')

interface SenderDomain {
  projectId: string
  domain: string
}

// Only verified domains are stored. Lookups are not joined, so that a domain that was just verified can be used without waiting
// for the notice. Users can see the age of an entry, so it is measured by the world's clock.
const verifiedCache = perWorld((world) =>
  createCache({
    max: 10_000,
    ttlMs: 10_000,
    clock: world.clock,
    joins: false,
    nameOf: ({ projectId, domain }: SenderDomain) => `${projectId} ${domain}`,
    load: async ({ projectId, domain }) => (await world.db.run(findVerified, [projectId, domain])).length > 0,
    emptiedBy: {
      notices: world.notices,
      topics: [{ topic: domainsTopic, touches: (projects, { key }) => projects.includes(key.projectId) }],
    },
  }),
)

/** Whether the project may send from the domain. A yes is cached for 10 s while notices arrive; a no is not cached. */
export function maySendFrom(world: World, projectId: string, domain: string): Promise<boolean> {
  return verifiedCache(world).find({ projectId, domain })
}

/** Makes every process look up the domains of a project again: this one at once, the others when the notice arrives. */
export function announceDomains(world: World, projectId: string): void {
  verifiedCache(world).forget(({ key }) => key.projectId === projectId)
  world.notices.publish(domainsTopic, projectId)
}
