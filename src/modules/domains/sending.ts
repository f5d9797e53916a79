import { createCache } from '../../kit/cache.ts'
import { topic } from '../../kit/notices.ts'
import { perWorld, type World } from '../../kit/world.ts'
import { findVerified } from './sql.ts'

/** Notices of projects whose domains have changed. */
export const domainsTopic = topic('domains')

interface Sender {
  projectId: string
  domain: string
}

// Only what may be sent from is stored. Whoever has just verified a domain does not wait for the notice: no look-up is
// joined that may have begun before. Its age is one a user can see, so it goes by the world's clock.
const verifiedCache = perWorld((world) =>
  createCache({
    max: 10_000,
    ttlMs: 10_000,
    clock: world.clock,
    joins: false,
    nameOf: ({ projectId, domain }: Sender) => `${projectId} ${domain}`,
    load: async ({ projectId, domain }) => (await world.db.run(findVerified, [projectId, domain])).length > 0,
    emptiedBy: {
      notices: world.notices,
      topics: [{ topic: domainsTopic, touches: (projects, { key }) => projects.includes(key.projectId) }],
    },
  }),
)

/** Whether the project may send from the domain; cached for 10 s while notices arrive, only when it may. */
export function maySendFrom(world: World, projectId: string, domain: string): Promise<boolean> {
  return verifiedCache(world).find({ projectId, domain })
}

/** Lets every process look a project's domains up again: this one at once, the others as soon as the notice arrives. */
export function announceDomains(world: World, projectId: string): void {
  verifiedCache(world).forget(({ key }) => key.projectId === projectId)
  world.notices.publish(domainsTopic, projectId)
}
