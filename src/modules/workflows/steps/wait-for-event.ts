import { z } from 'zod'
import { EventName } from '../../events/shapes.ts'
import { kind, plain } from './kind.ts'

const maxSeconds = 365 * 24 * 60 * 60

/** The exit of a wait whose event has not happened in time. */
export const timeoutExit = 'timeout'

/** Waits until an event happens to the contact, or a time has passed. */
export const waitForEvent = kind({
  label: 'Wait for event',
  meaning: 'Waits until an event happens to the contact, or a time has passed.',
  parts: '`eventName`; `timeout` in seconds, at most 365 days: without it an execution waits for ever',
  config: z.object({
    eventName: EventName.optional(),
    // In seconds.
    timeout: z.number().positive({ error: 'must be above 0' }).max(maxSeconds, { error: 'must be at most 31536000 seconds' }).optional(),
  }),
  exits: () => [plain, timeoutExit],
  takes: ({ timeout }) => (timeout === undefined ? [plain] : [plain, timeoutExit]),
  expects: ({ timeout }) => (timeout === undefined ? [] : [timeoutExit]),
  aliases: { event: plain },
  missing: ({ eventName }) => (eventName === undefined ? '"eventName"' : null),
  asks: ({ eventName }) => (eventName === undefined ? [] : [`event.${eventName}`]),
})
