import type { Ctx } from '../../../kit/context.ts'
import { within } from '../../../kit/deadline.ts'
import { lowestId, newId } from '../../../kit/ids.ts'
import { batchInLanes } from '../../../kit/lanes.ts'
import { type Executor, isDuplicate, isTransient } from '../../../kit/postgres/db.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { announceEvents } from '../../events/log.ts'
import { readClickToken, readOpenToken } from './links.ts'
import { type EngagementRequest, machineOf } from './machines.ts'
import { recordEngagement } from './sql.ts'

/** A request for the pixel or for a link: its token, and what shows whether a person is behind it. */
type TrackedRequest = { token: string } & Pick<EngagementRequest, 'method' | 'headers'>

/** Records an open as `email.open`, with its count and whether a machine did it; a forged token is ignored. */
export async function recordOpen(ctx: Ctx, { token, ...request }: TrackedRequest): Promise<void> {
  const email = readOpenToken(ctx, token)
  if (!email) return
  const machine = machineOf({ kind: 'open', ...request, userAgent: ctx.client.userAgent })
  await record(ctx, { ...email, kind: 'open', link: null, machine })
}

/** Records a click as `email.click` and returns the target of the link; null when the token is forged. */
export async function recordClick(ctx: Ctx, { token, ...request }: TrackedRequest): Promise<string | null> {
  const click = readClickToken(ctx, token)
  if (!click) return null
  const machine = machineOf({ kind: 'click', ...request, userAgent: ctx.client.userAgent })
  await record(ctx, { projectId: click.projectId, id: click.id, kind: 'click', link: click.url, machine })
  return click.url
}

/** An open (`link` null) or a click that a provider reports. */
export interface ReportedEngagement {
  projectId: string
  id: string
  /** The id of its event, the same whenever it is reported; a new one by default. */
  eventId?: string
  link: string | null
  userAgent: string
}

/**
 * Records an open or a click like one of our own pixel and links, and of those with the same `eventId` one. Unlike those it fails when it
 * cannot be recorded.
 */
export async function recordEngaged(world: World, { userAgent, ...engagement }: ReportedEngagement): Promise<void> {
  const kind = engagement.link === null ? 'open' : 'click'
  try {
    await recordInBatch(world)({ ...engagement, kind, reported: true, machine: machineOf({ kind, method: 'GET', userAgent }) })
  } catch (error) {
    if (!isDuplicate(error)) throw error
  }
}

interface Engagement {
  projectId: string
  id: string
  kind: 'open' | 'click'
  link: string | null
  /** The id of its event; a new one by default. */
  eventId?: string
  /** Why it looks like a machine; null for a person. */
  machine: string | null
  /** Whether a provider reports it, which it only does of an email that it has accepted. */
  reported?: true
}

const maxWaitMs = 1_000

// Readers of an email must see its pictures and follow its links whatever happens to the record of it, and however late.
async function record(ctx: Ctx, engagement: Engagement): Promise<void> {
  const recorded = recordInBatch(ctx.world)(engagement).catch((error: unknown) => reportLost(ctx, engagement, error))
  await within(maxWaitMs, recorded, () => undefined)
}

function reportLost({ log }: Ctx, { id, kind }: Engagement, error: unknown): void {
  if (isTransient(error)) log.warn({ email: id, kind }, 'emails: an open or click was not recorded, because the database is unavailable')
  else log.error({ err: error, email: id, kind }, 'emails: the record of an open or click was refused')
}

const maxAtOnce = 200
// Different links of an email that are clicked within this time were clicked by a machine.
const burstMs = 1_000
const recordInBatch = perWorld((world) =>
  batchInLanes({
    flush: (group: Engagement[]) => recordAll(world, world.db.lookups, group),
    flushAlone: (group: Engagement[]) => recordAll(world, world.db, group),
    max: maxAtOnce,
    ownerOf: ({ projectId }) => projectId,
    locksOf: ({ id }) => [id],
  }),
)

async function recordAll(world: World, on: Executor, group: Engagement[]): Promise<undefined[]> {
  const now = world.clock.now()
  const burstFrom = new Date(now.getTime() - burstMs)
  await on.run(recordEngagement, [
    group.map(({ projectId }) => projectId),
    group.map(({ id }) => id),
    group.map(({ kind }) => kind),
    group.map(({ link }) => link),
    group.map(({ machine }) => machine),
    group.map(({ eventId }) => eventId ?? newId('event', now)),
    now,
    now.toISOString(),
    lowestId('event', burstFrom),
    // While a clock is set back, ids are ahead of it.
    burstFrom,
    group.map(({ reported = false }) => reported),
  ])
  for (const projectId of new Set(group.map((one) => one.projectId))) announceEvents(world, projectId)
  return group.map(() => undefined)
}
