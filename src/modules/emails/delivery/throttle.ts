import { setTimeout as pause } from 'node:timers/promises'
import { batch } from '../../../kit/batch.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { type ClaimedEmail, reserved } from './claim.ts'
import { takeTokens } from './sql.ts'

/**
 * Takes a token of the project's sending rate (SEND_RATE_PER_PROJECT: a token bucket that holds the tokens of one second
 * and is shared by all processes). Returns null when the email may be sent now, otherwise the time that is reserved for it.
 */
export async function reserveSlot(world: World, email: ClaimedEmail): Promise<Date | null> {
  if (world.config.SEND_RATE_PER_PROJECT === 0 || email.before === reserved) return null
  return reserveInBatch(world)(email.projectId)
}

/** Keeps this process within SEND_RATE_PER_PROCESS emails per second: waits until the next one may be sent. */
export async function paceProcess(world: World): Promise<void> {
  const rate = world.config.SEND_RATE_PER_PROCESS
  if (rate === 0) return
  const pace = paceOf(world)
  const now = performance.now()
  pace.next = Math.max(pace.next + 1_000 / rate, now)
  if (pace.next > now) await pause(pace.next - now, undefined, { signal: world.closing }).catch(() => undefined)
}

const paceOf = perWorld(() => ({ next: 0 }))
const maxReserved = 500
const reserveInBatch = perWorld((world) => batch((projects: string[]) => reserveAll(world, projects), maxReserved))

async function reserveAll({ db, clock, config }: World, projects: string[]): Promise<(Date | null)[]> {
  const now = clock.now()
  const rate = config.SEND_RATE_PER_PROJECT
  const wanted = Map.groupBy(projects, (project) => project)
  const distinct = [...wanted.keys()].sort()
  const rows = await db.run(takeTokens, [distinct, distinct.map((project) => wanted.get(project)?.length ?? 0), rate, now])
  // A row has the tokens left after the whole batch was taken: add the batch back, then take one token per email, in order.
  const left = new Map(rows.map(({ projectId, tokens }) => [projectId, tokens + (wanted.get(projectId)?.length ?? 0)]))
  return projects.map((project) => {
    const tokens = (left.get(project) ?? rate) - 1
    left.set(project, tokens)
    return tokens >= 0 ? null : new Date(now.getTime() + (-tokens / rate) * 1_000)
  })
}
