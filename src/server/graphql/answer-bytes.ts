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

type Resolver = GraphQLFieldResolver<unknown, Ctx>

/**
 * Lets an operation fail with PAYLOAD_TOO_LARGE as soon as its large values, JSON and fields with `extensions.large`, have more
 * than 32 MB together; of a subscription those of one event. What an operation costs says how many rows it reads, not how large
 * they are, and with aliases it can repeat a value.
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

const answered = new WeakMap<Ctx, number>()

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
    answered.delete(ctx)
    return resolve(parent, args, ctx, info)
  }
}

function counted(ctx: Ctx, value: unknown): unknown {
  const bytes = (answered.get(ctx) ?? 0) + bytesOf(value)
  answered.set(ctx, bytes)
  if (bytes > maxAnswerBytes) throw answerTooLarge()
  return value
}

const scalarBytes = 8

// About what it takes as JSON. Without a pair for each value: an answer may have millions.
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null) return scalarBytes
  let sum = scalarBytes
  if (Array.isArray(value)) for (const inner of value) sum += bytesOf(inner)
  else for (const key of Object.keys(value)) sum += key.length + bytesOf((value as Record<string, unknown>)[key])
  return sum
}
