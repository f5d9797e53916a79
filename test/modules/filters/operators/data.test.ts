import { beforeAll, describe, expect, test } from 'vitest'
import type { FieldFilter } from '../../../../src/modules/filters/shapes.ts'
import { matchesBothWays, store } from '../../../help/filters.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
const project = await freshProject(world)
const now = world.clock.now().getTime()
const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString()

// One contact per value of the field `v`, named after it.
const values: Record<string, unknown> = {
  text: 'pro',
  capital: 'Pro',
  longer: 'enterprise pro plan',
  percent: '50%_off\\',
  empty: '',
  five: 5,
  textFive: '5',
  zero: 0,
  negative: -5,
  huge: 1e21,
  tiny: 5e-324,
  yes: true,
  no: false,
  textTrue: 'true',
  jsonNull: null,
  list: ['pro', 5],
  object: { tier: 'pro', 'a.b': 1 },
  day: '2026-01-31',
  morning: '2026-01-31T00:00:00Z',
  evening: '2026-01-31T23:59:59.999Z',
  nextDay: '2026-02-01T00:00:00Z',
  lateInNewYork: '2026-01-31T23:30:00-05:00',
  earlyInKolkata: '2026-02-01T05:29+05:30',
  noDay: '2026-02-30T12:00:00+05:30',
  today: daysAgo(0.5),
  lastWeek: daysAgo(7),
  future: daysAgo(-3),
}
const named = new Map<string, string>()
beforeAll(async () => {
  for (const [name, v] of Object.entries(values)) named.set(await store(world, project.projectId, { data: { v, other: 1 } }), name)
  named.set(await store(world, project.projectId, { data: { other: 1 } }), 'missing')
})

async function selected(filter: Omit<FieldFilter, 'field'> & { field?: string }): Promise<string[]> {
  const ids = await matchesBothWays(project, { field: 'data.v', ...filter })
  return ids.map((id) => named.get(id) ?? '').toSorted()
}

const dates = ['day', 'earlyInKolkata', 'lateInNewYork', 'noDay', 'evening', 'future', 'lastWeek', 'morning', 'nextDay', 'today']
const texts = [...dates, 'capital', 'empty', 'longer', 'percent', 'text', 'textFive', 'textTrue']
const lastOfJanuary = ['day', 'morning', 'evening', 'earlyInKolkata']
const present = Object.keys(values)
const without = (...names: string[]) => present.filter((name) => !names.includes(name))

describe('custom data', () => {
  test.each<[string, Omit<FieldFilter, 'field'>, string[]]>([
    ['equals is case-sensitive', { operator: 'equals', value: 'pro' }, ['text']],
    ['equals takes a list', { operator: 'equals', value: ['pro', 'Pro', 5] }, ['text', 'capital', 'five']],
    ['equals does not take a number for its text', { operator: 'equals', value: 5 }, ['five']],
    ['equals does not take a text for its number', { operator: 'equals', value: '5' }, ['textFive']],
    ['equals finds the empty text', { operator: 'equals', value: '' }, ['empty']],
    ['equals finds 0', { operator: 'equals', value: 0 }, ['zero']],
    ['equals finds false', { operator: 'equals', value: false }, ['no']],
    ['equals does not take a text for true', { operator: 'equals', value: true }, ['yes']],
    ['equals finds huge numbers', { operator: 'equals', value: 1e21 }, ['huge']],
    ['equals finds tiny numbers', { operator: 'equals', value: 5e-324 }, ['tiny']],
    ['equals finds wildcards as they are', { operator: 'equals', value: '50%_off\\' }, ['percent']],
    ['equals with a date compares the whole UTC day', { operator: 'equals', value: '2026-01-31' }, [...lastOfJanuary]],
    ['equals with a time compares its whole UTC day', { operator: 'equals', value: '2026-01-31T12:00:00Z' }, [...lastOfJanuary]],
    [
      'equals with dates and other values in one list',
      { operator: 'equals', value: ['2026-02-01', 5] },
      ['nextDay', 'lateInNewYork', 'five'],
    ],
    ['equals with an offset compares the UTC day', { operator: 'equals', value: '2026-02-01T04:00:00+05:30' }, lastOfJanuary],
    ['equals with an offset, a day later', { operator: 'equals', value: '2026-01-31T23:59:59.999999-00:01' }, ['nextDay', 'lateInNewYork']],
    ['equals with an offset finds the same text', { operator: 'equals', value: '2026-02-30T12:00:00+05:30' }, ['noDay']],
    ['notEquals matches all other values, null among them, but not missing ones', { operator: 'notEquals', value: 'pro' }, without('text')],
    ['notEquals with a list matches what is none of them', { operator: 'notEquals', value: ['pro', 5] }, without('text', 'five')],
    ['notEquals with a date matches what is not on that day', { operator: 'notEquals', value: '2026-01-31' }, without(...lastOfJanuary)],
    ['contains is case-sensitive, and finds text only', { operator: 'contains', value: 'pro' }, ['text', 'longer']],
    ['contains takes wildcards literally', { operator: 'contains', value: '%_' }, ['percent']],
    ['contains takes a backslash literally', { operator: 'contains', value: '\\' }, ['percent']],
    ['contains the empty text matches every text', { operator: 'contains', value: '' }, texts],
    ['notContains matches everything else, but not missing values', { operator: 'notContains', value: 'pro' }, without('text', 'longer')],
    ['greaterThan with a number compares numbers only', { operator: 'greaterThan', value: 0 }, ['five', 'huge', 'tiny']],
    ['greaterThanOrEqual includes the number', { operator: 'greaterThanOrEqual', value: 0 }, ['five', 'huge', 'tiny', 'zero']],
    ['lessThan with a number compares numbers only', { operator: 'lessThan', value: 0 }, ['negative']],
    ['lessThanOrEqual includes the number', { operator: 'lessThanOrEqual', value: 0 }, ['negative', 'zero']],
    ['greaterThan with a text compares texts by code points', { operator: 'greaterThan', value: 'e' }, ['longer', 'text', 'textTrue']],
    ['lessThan with a text compares texts by code points', { operator: 'lessThan', value: '2' }, ['empty']],
    [
      'lessThanOrEqual with a date compares ISO dates as text',
      { operator: 'lessThanOrEqual', value: '2026-01-31T00:00:00Z' },
      ['day', 'empty', 'morning'],
    ],
    ['exists matches every value but null', { operator: 'exists' }, without('jsonNull')],
    ['notExists matches null and missing values', { operator: 'notExists' }, ['jsonNull', 'missing']],
    ['within matches ISO dates since then, in the future too', { operator: 'within', value: 1, unit: 'days' }, ['today', 'future']],
    ['within includes its boundary', { operator: 'within', value: 7, unit: 'days' }, ['today', 'future', 'lastWeek']],
    ['within counts hours and minutes', { operator: 'within', value: 60 * 24 * 7, unit: 'minutes' }, ['today', 'future', 'lastWeek']],
    [
      'olderThan matches ISO dates before, and no text that is not a date',
      { operator: 'olderThan', value: 6, unit: 'days' },
      ['day', 'earlyInKolkata', 'evening', 'lastWeek', 'lateInNewYork', 'morning', 'nextDay', 'noDay'],
    ],
    [
      'olderThan leaves out its boundary',
      { operator: 'olderThan', value: 24 * 7, unit: 'hours' },
      ['day', 'earlyInKolkata', 'evening', 'lateInNewYork', 'morning', 'nextDay', 'noDay'],
    ],
  ])('%s', async (_title, filter, expected) => {
    expect(await selected(filter)).toEqual(expected.toSorted())
  })

  test('is reached by a dotted path into objects, not into lists', async () => {
    expect(await selected({ field: 'data.v.tier', operator: 'equals', value: 'pro' })).toEqual(['object'])
    expect(await selected({ field: 'data.v.0', operator: 'exists' })).toEqual([])
    expect(await selected({ field: 'data.v.tier', operator: 'notEquals', value: 'x' })).toEqual(['object'])
    expect(await selected({ field: 'data.v.a.b', operator: 'exists' })).toEqual([])
  })

  test('of a field that nobody has matches only notExists', async () => {
    const field = 'data.nobody'
    expect(await selected({ field, operator: 'notExists' })).toHaveLength(present.length + 1)
    for (const operator of ['equals', 'notEquals', 'contains', 'notContains', 'greaterThan', 'lessThan'] as const)
      expect(await selected({ field, operator, value: 'x' })).toEqual([])
  })
})

test('within and olderThan take a time with an offset for what its digits would be in UTC, in SQL as in memory', async () => {
  const own = await freshProject(world)
  const hoursAgo = (hours: number, offset: number) =>
    new Date(now + (offset - hours) * 3_600_000).toISOString().replace('Z', `${offset < 0 ? '-' : '+'}0${Math.abs(offset)}:00`)
  const recent = await store(world, own.projectId, { data: { at: hoursAgo(0.5, -5) } })
  const old = await store(world, own.projectId, { data: { at: hoursAgo(3, 5) } })
  const utc = await store(world, own.projectId, { data: { at: hoursAgo(0.5, 0).replace('+00:00', 'Z') } })
  const hour = { field: 'data.at', value: 1, unit: 'hours' } as const
  expect((await matchesBothWays(own, { ...hour, operator: 'within' })).toSorted()).toEqual([old, utc].toSorted())
  expect(await matchesBothWays(own, { ...hour, operator: 'olderThan' })).toEqual([recent])
})

describe('the key of a field', () => {
  test.each(['utm.source', "it's", '"q"', '$1', '%', '__proto__', 'constructor', ') or true --', 'é', '\\'])('may be %s', async (key) => {
    const own = await freshProject(world)
    const id = await store(world, own.projectId, { data: JSON.parse(`{${JSON.stringify(key)}: "x"}`) })
    await store(world, own.projectId, { data: {} })
    expect(await matchesBothWays(own, { field: `data.${key}`, operator: 'equals', value: 'x' })).toEqual([id])
    expect(await matchesBothWays(own, { field: `data.${key}`, operator: 'notContains', value: 'y' })).toEqual([id])
  })

  test('with dots is preferred to the path that it also may be', async () => {
    const own = await freshProject(world)
    const whole = await store(world, own.projectId, { data: { 'utm.source': 'ad', utm: { source: 'mail' } } })
    const nested = await store(world, own.projectId, { data: { utm: { source: 'mail' } } })
    expect(await matchesBothWays(own, { field: 'data.utm.source', operator: 'equals', value: 'ad' })).toEqual([whole])
    expect(await matchesBothWays(own, { field: 'data.utm.source', operator: 'equals', value: 'mail' })).toEqual([nested])
  })
})
