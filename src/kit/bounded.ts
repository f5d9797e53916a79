import { z } from 'zod'
import { invalid } from './errors.ts'

/**
 * A list as a caller sends it, of at most `max` entries. They are counted before the first is read: zod would read them all, and describe
 * every one that is wrong, before it says that there are too many.
 */
export function listOf<Item extends z.ZodType>(item: Item, { min = 0, max, error }: { min?: number; max: number; error?: string }) {
  const list = z.array(item, error).max(max)
  return z.preprocess(
    (value: z.input<Item>[], ctx) => {
      if (Array.isArray(value) && value.length > max)
        ctx.addIssue({ code: 'too_big', origin: 'array', maximum: max, inclusive: true, input: value })
      return value
    },
    min > 0 ? list.min(min) : list,
  )
}

/** An object with keys of the caller's choice, at most `max`, counted before the first is read; see listOf. */
export function recordOf<Key extends z.ZodString, Value extends z.ZodType>(
  key: Key,
  value: Value,
  { max, error = 'must be an object' }: { max: number; error?: string },
) {
  return z.preprocess(
    (given, ctx) => {
      if (typeof given === 'object' && given !== null && Object.keys(given).length > max)
        ctx.addIssue({ code: 'custom', message: `must have at most ${max} keys`, params: { code: 'too_big' } })
      return given
    },
    z.record(key, value, { error: (issue) => messageOfKey(issue) ?? error }).meta({ maxProperties: max }),
  )
}

// What is wrong with a key stands in its own words.
function messageOfKey(issue: z.core.$ZodRawIssue): string | undefined {
  return issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined
}

/** An object that recordOf has made, from entries, of which no two may have one name. Throws VALIDATION_ERROR for too many, unread. */
export function recordOfEntries(record: z.core.$ZodType, entries: { name: string; value: string }[], path: string): Record<string, string> {
  const max = Number(z.globalRegistry.get(record)?.maxProperties)
  if (entries.length > max) throw invalid(path.slice(0, -1), `must have at most ${max} entries`, 'too_big')
  const names = new Set<string>()
  const twice = entries.find(({ name }) => names.size === names.add(name).size)
  if (twice) throw invalid(path + twice.name, 'is given twice', 'duplicate')
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]))
}

/** The shapes that GraphQL reads what callers send with. */
export const shapesOfInputs = new Map<z.core.$ZodType, string | null>()
