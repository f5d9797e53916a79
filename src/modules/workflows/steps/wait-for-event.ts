import { z } from 'zod'
import { lowestId } from '../../../kit/ids.ts'
import { sizeOfJson } from '../../../kit/json-length.ts'
import { EventName } from '../../events/shapes.ts'
import { kind, plain } from './kind.ts'
import { type AwaitedEvent, findAwaitedEvent, selectAwaitedEvent } from './sql.ts'
import { lowestUnread, nextLook } from './turn.ts'
import type { Outcome, Visit } from './visit.ts'

const maxSeconds = 365 * 24 * 60 * 60

const config = z.object({
  eventName: EventName.optional(),
  // In seconds.
  timeout: z.number().positive({ error: 'must be above 0' }).max(maxSeconds, { error: 'must be at most 31536000 seconds' }).optional(),
})

/**
 * How long after the end of a wait it is decided that its event has not happened, in ms: one that has happened in time may still be on
 * its way into the log.
 */
export const decidedAfterMs = 1_000

/** The exit of a wait whose event has not happened in time. */
export const timeoutExit = 'timeout'

type WaitVisit = Visit<z.output<typeof config>>

/** Waits until an event happens to the contact, or a time has passed. */
export const waitForEvent = kind({
  label: 'Wait for event',
  meaning:
    'Waits until an event happens to the contact, or a time has passed. What happened since the execution last rested counts as well: since the event that started it, the event that ended the wait before, or the end of the delay or timeout before.',
  parts:
    '`eventName`; `timeout` in seconds from the moment at which the execution came to it, at most 365 days: without it an execution waits for ever. Whether the event has happened in time is decided a second after it has passed',
  output: '`eventName`, `eventId`, `eventData`, `receivedAt`; after its timeout `timedOut` (true) and `eventName`',
  config,
  exits: () => [plain, timeoutExit],
  takes: ({ timeout }) => (timeout === undefined ? [plain] : [plain, timeoutExit]),
  expects: ({ timeout }) => (timeout === undefined ? [] : [timeoutExit]),
  nameOfExit: (exit) => (exit === timeoutExit ? 'When the time has passed' : 'When it happens'),
  exitsText: 'none or `event`, and `timeout`',
  mayWaitForever: ({ timeout }) => timeout === undefined,
  aliases: { event: plain },
  missing: ({ eventName }) => (eventName === undefined ? '"eventName"' : null),
  asks: ({ eventName }) => (eventName === undefined ? [] : [`event.${eventName}`]),
  run: async (visit) => {
    const { config, id } = visit.step
    if (config.eventName === undefined) throw new Error(`The step ${id} waits for no event`)
    return visit.record ? lookAgain(visit, visit.record, config.eventName) : begin(visit, config.eventName)
  },
})

// From now on the reader of the log finds the execution. It is looked at once more at once: an event that counts may have been logged
// before the wait was stored, and been read before anybody could see the wait.
function begin({ step, cameAt, now }: WaitVisit, eventName: string): Outcome {
  const { timeout } = step.config
  const endsAt = timeout === undefined ? null : new Date(cameAt.getTime() + timeout * 1_000)
  return { kind: 'wait', wakeAt: now, endsAt, waitsFor: eventName }
}

async function lookAgain(visit: WaitVisit, record: NonNullable<WaitVisit['record']>, eventName: string): Promise<Outcome> {
  const { now } = visit
  const { startedAt, scheduledFor: endsAt, output } = record
  const decidedAt = endsAt && new Date(endsAt.getTime() + decidedAfterMs)
  const isOver = decidedAt !== null && now >= decidedAt
  const seen = (output as { eventId?: string } | null)?.eventId
  const { first, behind } = await look(visit, { record, eventName, isOver })
  // The one that woke the execution need not be the first: an earlier one may have been handled before the wait was stored.
  const event = first?.inTurn ? first : seen !== undefined && (await selectEvent(visit, seen))
  if (event) return received(event, eventName)
  const wait = { kind: 'wait', endsAt, waitsFor: eventName } as const
  // Its line wakes the execution, unless the reader had passed it before the wait was stored.
  if (first) return { ...wait, wakeAt: nextLook(visit, first.createdAt > startedAt ? first.createdAt : startedAt) }
  if (endsAt === null || !isOver) return { ...wait, wakeAt: decidedAt }
  if (behind) return { ...wait, wakeAt: nextLook(visit, decidedAt) }
  return { kind: 'leave', exit: timeoutExit, output: { timedOut: true, eventName }, rest: { at: endsAt } }
}

function received({ id: eventId, createdAt, data, epoch, xid }: SeenEvent, eventName: string): Outcome {
  const output = { eventName, eventId, eventData: brief(data), receivedAt: createdAt.toISOString() }
  return { kind: 'leave', exit: plain, output, rest: { at: createdAt, ...(xid !== null && { place: { epoch, xid, id: eventId } }) } }
}

// The clock of the machine that has written the event may differ from that of the one that has written the moment of the rest.
const maxClockDifferenceMs = 60 * 60_000

async function look(
  { ctx: { db, projectId }, executionId, restAt }: WaitVisit,
  { record, eventName, isOver }: { record: NonNullable<WaitVisit['record']>; eventName: string; isOver: boolean },
) {
  const { startedAt, scheduledFor } = record
  const lowest = lowestId('event', new Date((restAt ?? startedAt).getTime() - maxClockDifferenceMs))
  const unread = isOver && scheduledFor ? lowestUnread(scheduledFor) : null
  const [found] = await db.run(findAwaitedEvent, [projectId, executionId, eventName, lowest, startedAt, scheduledFor, isOver, unread])
  return found && found.id !== null ? { first: found } : { behind: found?.behind === true }
}

/** An event that has woken the execution; it may have been removed from the log since. */
type SeenEvent = Omit<AwaitedEvent, 'xid'> & { xid: string | null }

async function selectEvent({ ctx: { db, projectId }, now }: WaitVisit, id: string): Promise<SeenEvent> {
  const [found] = await db.run(selectAwaitedEvent, [projectId, id])
  return found ?? { id, epoch: 0, xid: null, createdAt: now, data: null }
}

const maxDataLength = 64 * 1024

// The data of an event may have a megabyte, and an execution a hundred steps.
function brief(data: unknown): unknown {
  return sizeOfJson(data) <= maxDataLength ? (data ?? null) : null
}
