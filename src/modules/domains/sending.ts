import { perWorld, type World } from '../../kit/world.ts'
import { findVerified } from './sql.ts'

/** The notice topic that tells every process to look a project's domains up again. */
export const domainsTopic = 'domains'

const freshMs = 10_000
const most = 10_000

/** What a process remembers of verified domains. */
export interface SendingDomains {
  /** Whether the project may send from the domain; remembered for 10 s while notices arrive, only when it may. */
  allows(projectId: string, domain: string): Promise<boolean>
  /** Forgets a project's domains in this process. */
  forget(projectId: string): void
}

/** The verified domains of this process's world: `/v1/send` asks on every call, Postgres only now and then. */
export const sendingDomains = perWorld((world: World): SendingDomains => {
  const until = new Map<string, Map<string, number>>()
  let changes = 0
  const forget = (projectId: string): void => {
    changes++
    until.delete(projectId)
  }
  world.notices.listen(domainsTopic, (projectIds) => {
    if (projectIds) return projectIds.forEach(forget)
    changes++
    until.clear()
  })
  return {
    forget,
    async allows(projectId, domain) {
      const now = world.clock.now().getTime()
      if (world.notices.connected() && (until.get(projectId)?.get(domain) ?? 0) > now) return true
      const before = changes
      const [found] = await world.db.run(findVerified, [projectId, domain])
      // A domain removed while we asked must not be remembered.
      if (found && before === changes) {
        if (until.size >= most) until.clear()
        until.set(projectId, (until.get(projectId) ?? new Map<string, number>()).set(domain, now + freshMs))
      }
      return found !== undefined
    },
  }
})
