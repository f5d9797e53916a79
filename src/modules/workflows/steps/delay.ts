import { z } from 'zod'
import { kind, plain } from './kind.ts'
import { hasUnhandled, nextLook } from './turn.ts'

const units = ['minutes', 'hours', 'days'] as const
const minutesOf: Record<(typeof units)[number], number> = { minutes: 1, hours: 60, days: 24 * 60 }
const minuteMs = 60_000
const maxMinutes = 365 * minutesOf.days

const config = z
  .object({ amount: z.number().positive({ error: 'must be above 0' }).optional(), unit: z.enum(units).optional() })
  .refine(({ amount = 0, unit = 'minutes' }) => amount * minutesOf[unit] <= maxMinutes, {
    path: ['amount'],
    error: 'must be at most 365 days',
    params: { code: 'too_big' },
  })

/** Waits for a span of time. */
export const delay = kind({
  label: 'Delay',
  meaning: 'Waits for a span of time from the moment at which the execution came to it, however late a worker comes.',
  parts: '`amount`, `unit` (minutes, hours or days): at most 365 days',
  output: '`delayAmount`, `delayUnit`, `resumeAt`',
  config,
  exits: () => [plain],
  missing: ({ amount, unit }) => (amount === undefined ? '"amount"' : unit === undefined ? '"unit"' : null),
  run: async (visit) => {
    const { step, record, cameAt, now } = visit
    const { amount = 0, unit = 'minutes' } = step.config
    // A span of time has the same length whatever clocks and calendars do meanwhile.
    const resumeAt = record?.scheduledFor ?? new Date(cameAt.getTime() + amount * minutesOf[unit] * minuteMs)
    const output = { delayAmount: amount, delayUnit: unit, resumeAt: resumeAt.toISOString() }
    if (now < resumeAt) return { kind: 'wait', wakeAt: resumeAt, endsAt: resumeAt, output }
    if (await hasUnhandled(visit, resumeAt)) return { kind: 'wait', wakeAt: nextLook(visit, resumeAt), endsAt: resumeAt, output }
    return { kind: 'leave', exit: plain, output, rest: { at: resumeAt } }
  },
})
