import { z } from 'zod'
import { findFirstEvent, getEventData } from '../../events/occurrence.ts'
import { EventName } from '../../events/shapes.ts'
import { kind, plain } from './kind.ts'
import type { Outcome, Visit } from './visit.ts'

const maxSeconds = 365 * 24 * 60 * 60

const config = z.object({
  eventName: EventName.optional(),
  // In seconds.
  timeout: z.number().positive({ error: 'must be above 0' }).max(maxSeconds, { error: 'must be at most 31536000 seconds' }).optional(),
})

/** The exit of a wait whose event has not happened in time. */
export const timeoutExit = 'timeout'

type WaitVisit = Visit<z.output<typeof config>>

/** Waits until an event happens to the contact, or a time has passed. */
export const waitForEvent = kind({
  label: 'Wait for event',
  meaning: 'Waits until an event happens to the contact, or a time has passed.',
  parts: '`eventName`; `timeout` in seconds, at most 365 days: without it an execution waits for ever',
  config,
  exits: () => [plain, timeoutExit],
  takes: ({ timeout }) => (timeout === undefined ? [plain] : [plain, timeoutExit]),
  expects: ({ timeout }) => (timeout === undefined ? [] : [timeoutExit]),
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

// From now on the reader of the log finds the execution. It is looked at once more at once: an event may have been logged before the
// wait was stored, and been read before anybody could see the wait.
function begin({ step, now }: WaitVisit, eventName: string): Outcome {
  const { timeout } = step.config
  const endsAt = timeout === undefined ? null : new Date(now.getTime() + timeout * 1_000)
  return { kind: 'wait', wakeAt: now, endsAt, waitsFor: eventName }
}

async function lookAgain(visit: WaitVisit, record: NonNullable<WaitVisit['record']>, eventName: string): Promise<Outcome> {
  const { ctx, contactId, startedBy, now } = visit
  const { startedAt, since, scheduledFor: endsAt, output } = record
  const seen = (output as { eventId?: string } | null)?.eventId
  const period = { from: startedAt, since, to: endsAt, except: startedBy }
  const eventId = seen ?? (await findFirstEvent(ctx, { contactId, name: eventName, ...period }))
  if (eventId !== null) {
    const event = await getEventData(ctx, { id: eventId })
    const receivedAt = (event?.createdAt ?? now).toISOString()
    return { kind: 'leave', exit: plain, output: { eventName, eventId, eventData: brief(event?.data), receivedAt } }
  }
  if (endsAt && now >= endsAt) return { kind: 'leave', exit: timeoutExit, output: { timedOut: true, eventName } }
  return { kind: 'wait', wakeAt: endsAt, endsAt, waitsFor: eventName }
}

const maxDataLength = 64 * 1024

// The data of an event may have a megabyte, and an execution a hundred steps.
function brief(data: unknown): unknown {
  return (JSON.stringify(data) ?? '').length <= maxDataLength ? (data ?? null) : null
}
