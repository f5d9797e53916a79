import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { listOf, recordOf, shapesOfInputs } from '../../src/kit/bounded.ts'
import { readsBody } from '../../src/kit/route.ts'
import { kinds } from '../../src/modules/workflows/steps/kinds.ts'
import { schema } from '../../src/server/graphql/schema.ts'
import { routes } from '../../src/server/routes.ts'

const unread = (target: object): object =>
  new Proxy(target, {
    get(whole, key) {
      if (typeof key === 'string' && /^(\d+|k\d+)$/.test(key)) throw new Error('A member was read')
      return Reflect.get(whole, key) as unknown
    },
  })
const tooMany = 20_001
const longList = unread(new Array(tooMany).fill(1))
const largeObject = unread(Object.fromEntries(Array.from({ length: tooMany }, (_, at) => [`k${at}`, 1])))

type Shape = z.core.$ZodTypes

/** Every list and record in a shape, each with what is parsed before it. */
function* collections(shape: Shape, path: string, before: Shape | undefined, seen: Set<Shape>): Generator<[string, Shape, object]> {
  if (seen.has(shape)) return
  seen.add(shape)
  const { def } = shape._zod
  const go = (inner: unknown, at = path, pipe?: Shape) => collections(inner as Shape, at, pipe, seen)
  if (def.type === 'array' || def.type === 'record') yield [path, before ?? shape, def.type === 'array' ? longList : largeObject]
  if (def.type === 'object') for (const [key, inner] of Object.entries(def.shape)) yield* go(inner, `${path}.${key}`)
  else if (def.type === 'array') yield* go(def.element, `${path}[]`)
  else if (def.type === 'record') yield* go(def.valueType, `${path}{}`)
  else if (def.type === 'union') for (const [at, option] of def.options.entries()) yield* go(option, `${path}|${at}`)
  else if (def.type === 'lazy') yield* go(def.getter())
  else if (def.type === 'pipe') {
    yield* go(def.in)
    // What checks before a bounded collection may stand around it.
    yield* collections(def.out as Shape, path, (def.in as Shape)._zod.def.type === 'transform' ? shape : undefined, seen)
  } else if ('innerType' in def) yield* go(def.innerType)
}

const inputs: [string, Shape][] = [
  ...routes.flatMap((route): [string, Shape][] =>
    [route, ...(route.variant ? [route.variant] : [])]
      .filter((one) => readsBody(one) && !one.signature)
      .map((one) => [`${one.method} ${one.path}`, one.input as unknown as Shape]),
  ),
  // Other tests make inputs of their own.
  ...[...shapesOfInputs]
    .filter(([, name]) => name === null || schema.getType(name))
    .map(([shape, name]): [string, Shape] => [name ?? 'GraphQL', shape as Shape]),
  ...Object.entries(kinds).map(([type, step]): [string, Shape] => [type, step.config as unknown as Shape]),
]

describe('what callers send', () => {
  test('every list and every object with keys of their choice is counted before a member is read', () => {
    const unbounded = inputs.flatMap(([name, shape]) =>
      [...collections(shape, name, undefined, new Set())].flatMap(([path, whole, value]) => {
        try {
          return z.safeParse(whole, value).success ? [`${path} takes as many as are sent`] : []
        } catch (error) {
          return [`${path}: ${String(error)}`]
        }
      }),
    )
    expect([...new Set(unbounded)]).toEqual([])
    expect(inputs.length).toBeGreaterThan(100)
  })

  test('of too many there is one problem, and none for each', () => {
    const list = z.object({ all: listOf(z.email(), { min: 1, max: 3 }) })
    expect(list.safeParse({ all: Array(1_000_000).fill('x') }).error?.issues).toMatchObject([
      { path: ['all'], code: 'too_big', message: 'must be at most 3 entries long' },
    ])
    expect(list.safeParse({ all: [] }).error?.issues).toMatchObject([{ path: ['all'], code: 'too_small' }])
    const record = z.object({ all: recordOf(z.string(), z.string(), { max: 3 }) })
    expect(record.safeParse({ all: { a: 1, b: 2, c: 3, d: 4 } }).error?.issues).toMatchObject([
      { path: ['all'], message: 'must have at most 3 keys' },
    ])
    expect(record.safeParse({ all: { a: 'b' } }).data).toEqual({ all: { a: 'b' } })
  })
})
