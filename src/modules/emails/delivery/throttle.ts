import { setTimeout as pause } from 'node:timers/promises'
import { batch } from '../../../kit/batch.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { type ClaimedEmail, reserved } from './claim.ts'
import { takeTokens } from './sql.ts'

/**
 * Takes a token of the project's sending rate (SEND_RATE_PER_PROJECT, a bucket that holds one second's worth, shared by
 * all processes). Answers null when the mail may go now, otherwise when: that place is reserved for it.
 */
export async function reserveSlot(world: World, email: ClaimedEmail): Promise<Date | null> {
  if (world.config.SEND_RATE_PER_PROJECT === 0 || email.before === reserved) return null
  return laneOf(world)(email.projectId)
}

/** Keeps this process within SEND_RATE_PER_PROCESS mails a second: waits for the next place. */
export async function paceProcess(world: World): Promise<void> {
  const rate = world.config.SEND_RATE_PER_PROCESS
  if (rate === 0) return
  const pace = paceOf(world)
  const now = performance.now()
  pace.next = Math.max(pace.next + 1_000 / rate, now)
  if (pace.next > now) await pause(pace.next - now, undefined, { signal: world.closing }).catch(() => undefined)
}

const paceOf = perWorld(() => ({ next: 0 }))
const mostReserved = 500
const laneOf = perWorld((world) => batch((projects: string[]) => reserveAll(world, projects), mostReserved))

async function reserveAll({ db, clock, config }: World, projects: string[]): Promise<(Date | null)[]> {
  const now = clock.now()
  const rate = config.SEND_RATE_PER_PROJECT
  const wanted = Map.groupBy(projects, (project) => project)
  const names = [...wanted.keys()].sort()
  const rows = await db.run(takeTokens, [names, names.map((name) => wanted.get(name)?.length ?? 0), rate, now])
  // The bucket after all were taken; going through them in order, the first had the most left.
  const left = new Map(rows.map(({ projectId, tokens }) => [projectId, tokens + (wanted.get(projectId)?.length ?? 0)]))
  return projects.map((project) => {
    const level = (left.get(project) ?? rate) - 1
    left.set(project, level)
    return level >= 0 ? null : new Date(now.getTime() + (-level / rate) * 1_000)
  })
}
