import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getNamedType,
  isIntrospectionType,
  isObjectType,
} from 'graphql'
import type { Ctx } from '../../kit/context.ts'
import { answerTooLarge, maxAnswerBytes } from '../../kit/errors.ts'
import { JsonText } from '../../kit/json-text.ts'

type Resolver = GraphQLFieldResolver<unknown, Ctx>

/** Maximum number of bytes of the large values in one event of a subscription, which is sent to many at once. */
export const maxEventBytes = 8 * 1024 * 1024

/**
 * Lets an operation fail with PAYLOAD_TOO_LARGE as soon as its large values, JSON and fields with `extensions.large`, have more
 * than 32 MB together as JSON, and what a subscription selects of one event as soon as they have 8 MB. What an operation costs says how
 * many rows it reads, not how large they are, and with aliases it can repeat a value.
 */
export function limitAnswers(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue
    for (const field of Object.values(type.getFields())) {
      if (type === schema.getSubscriptionType()) field.resolve = beginning(field)
      else if (isLarge(field)) field.resolve = counting(field)
    }
  }
  return schema
}

interface Answered {
  bytes: number
  max: number
}

const answered = new WeakMap<Ctx, Answered>()

function isLarge({ type, extensions }: GraphQLField<unknown, Ctx>): boolean {
  return getNamedType(type).name === 'JSON' || extensions.large === true
}

function counting({ resolve = defaultFieldResolver }: GraphQLField<unknown, Ctx>): Resolver {
  return (parent, args, ctx, info) => {
    const value: unknown = resolve(parent, args, ctx, info)
    return value instanceof Promise ? value.then((settled: unknown) => counted(ctx, settled)) : counted(ctx, value)
  }
}

// All events of a subscription have the same context.
function beginning({ resolve = defaultFieldResolver }: GraphQLField<unknown, Ctx>): Resolver {
  return (parent, args, ctx, info) => {
    answered.set(ctx, { bytes: 0, max: maxEventBytes })
    return resolve(parent, args, ctx, info)
  }
}

function counted(ctx: Ctx, value: unknown): unknown {
  const sum = answered.get(ctx) ?? { bytes: 0, max: maxAnswerBytes }
  answered.set(ctx, sum)
  // Once there are too many, values that are repeated need not be looked at any more.
  if (sum.bytes <= sum.max) sum.bytes += bytesOf(value)
  if (sum.bytes > sum.max) throw answerTooLarge(sum.max)
  return value
}

const scalarBytes = 8

// About what it takes as JSON. Without a pair for each value: an answer may have millions.
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + addedByEscapes(value)
  if (value instanceof JsonText) return Buffer.byteLength(value.text)
  if (typeof value !== 'object' || value === null) return scalarBytes
  let sum = scalarBytes
  if (Array.isArray(value)) for (const inner of value) sum += bytesOf(inner)
  else for (const key of Object.keys(value)) sum += key.length + bytesOf((value as Record<string, unknown>)[key])
  return sum
}

const [firstPrintable, quote, backslash] = [0x20, 0x22, 0x5c]
// Those that JSON writes with one letter, such as \n; others are \u and four digits.
const short = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d])

function addedByEscapes(text: string): number {
  let added = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote || code === backslash) added++
    else if (code < firstPrintable) added += short.has(code) ? 1 : 5
  }
  return added
}
