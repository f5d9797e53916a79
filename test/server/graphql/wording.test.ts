import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { errorCatalogue, Failure, tooManyRequests } from '../../../src/kit/errors.ts'
import { wordedFor } from '../../../src/server/graphql/wording.ts'
import { asker } from '../../help/ask.ts'
import { drafted } from '../../help/campaigns.ts'
import { sendingProject } from '../../help/mails.ts'
import { testServer } from '../../help/server.ts'
import { sources } from '../../help/sources.ts'

// Failures name what GraphQL has: the fields of the input, its enums, its mutations.
const { url, world } = await testServer()
const { ctx, secret } = await sendingProject(world)
const ask = asker(url, secret)
const rest = /\b(GET|POST|PUT|PATCH|DELETE) \/(?!v1\/track|graphql)/

describe('a failure names the field of the input', () => {
  test('condition, not audienceFilter', async () => {
    const input =
      'name: "n", subject: "s", body: "b", from: "news@demo.test", audienceType: ALL, condition: { field: "data.plan", operator: EXISTS }'
    const { errors } = await ask(`mutation { createCampaign(input: { ${input} }) { campaign { id } } }`)
    expect(errors[0]?.extensions.errors).toMatchObject([{ field: 'condition' }])
    expect(errors[0]?.message).toMatch(/^"condition" /)
  })

  test('scheduledAt, not scheduledFor, and in the sentence', async () => {
    const { id } = await drafted(ctx)
    const input = `id: "${id}", scheduledAt: "2001-01-01T00:00:00Z"`
    const { errors } = await ask(`mutation { other: sendCampaign(input: { ${input} }) { campaign { id } } }`)
    expect(errors[0]).toMatchObject({
      message: '"scheduledAt" must be in the future.',
      extensions: { errors: [{ field: 'scheduledAt', message: 'must be in the future' }] },
    })
  })

  test('content, not file', async () => {
    const [checked, imported, stored] = await Promise.all([
      ask('{ checkImport(content: "") { rows } }'),
      ask('mutation { importSuppressions(input: { content: "" }) { added } }'),
      ask('mutation { uploadImage(input: { filename: "a.png", content: "aGVsbG8=" }) { upload { id } } }'),
    ])
    for (const { errors } of [checked, imported, stored]) expect(errors[0]?.extensions.errors).toMatchObject([{ field: 'content' }])
  })
})

test('the message of a limit does not name its argument twice', async () => {
  const { errors } = await ask('{ topCampaigns(limit: 101) { id } }')
  expect(errors[0]).toMatchObject({ message: '"limit" must be at most 100.', extensions: { errors: [{ message: 'must be at most 100' }] } })
})

test('operators are spelled as in the enum', async () => {
  const { errors } = await ask(
    '{ contacts(filter: { condition: { field: "email", operator: WITHIN, value: 3, unit: DAYS } }) { totalCount } }',
  )
  expect(errors[0]?.message).toMatch(/"WITHIN" cannot be used with email: use EQUALS, NOT_EQUALS/)
  const unit = new Failure('VALIDATION_ERROR', '"unit" must be one of minutes, hours, days.', {
    errors: [{ field: 'unit', message: 'must be one of minutes, hours, days', code: 'invalid_value' }],
  })
  expect(wordedFor(unit, undefined).errors).toMatchObject([{ message: 'must be one of MINUTES, HOURS, DAYS' }])
  expect(wordedFor(unit, undefined).message).toBe('"unit" must be one of MINUTES, HOURS, DAYS.')
})

describe('what to do', () => {
  test('a copy of a campaign that was not sent: the field of the input', async () => {
    const { id } = await drafted(ctx)
    const { errors } = await ask(`mutation { duplicateCampaign(input: { id: "${id}", sourceOutcome: FAILED }) { campaign { id } } }`)
    expect(errors[0]?.extensions.suggestion).toBe('Leave out "sourceOutcome".')
  })

  test('names no endpoint of REST that has a twin', async () => {
    const catalogued = Object.values(errorCatalogue).flatMap(({ suggestion }) => suggestion ?? [])
    const root = new URL('../../../src/', import.meta.url)
    const files = (await readdir(root, { recursive: true })).filter((name) => /^(modules|kit)\/.*\.ts$/.test(name))
    const sources = await Promise.all(files.map((name) => readFile(new URL(name, root), 'utf8')))
    const written = sources.flatMap((source) => [...source.matchAll(/suggestion: '([^']*)'/g)].map(([, text = '']) => text))
    expect(written.length).toBeGreaterThan(20)
    const worded = [...catalogued, ...written].map(
      (suggestion) => wordedFor(new Failure('CONFLICT', 'Something.', { suggestion }), undefined).suggestion,
    )
    expect(worded.filter((text) => rest.test(text ?? ''))).toEqual([])
  })
})

test('no sentence of a failure sends its reader to a header, which forms and clients of GraphQL do not show', async () => {
  const catalogued = Object.values(errorCatalogue).flatMap(({ message, suggestion = '' }) => [message, suggestion])
  const written = sources('src', /(?<!rest|document)\.tsx?$/).flatMap(({ text }) => text.match(/(['`])[^'`\n]+ Retry-After\b.*?\1/g) ?? [])
  expect([...catalogued, ...written].filter((sentence) => /Retry-After(?!, Idempotency)/.test(sentence))).toEqual([])
})

test.each([
  [1, '1 second'],
  [60, '60 seconds'],
  [61, '2 minutes'],
  [3_600, '60 minutes'],
  [3_601, '2 hours'],
  [86_400, '24 hours'],
])('a limit says when to try again: after %i seconds in %s', (seconds, words) => {
  const { message, headers } = tooManyRequests('Too many calls.', seconds, { 'RateLimit-Limit': '5' })
  expect([message, headers]).toEqual([`Too many calls. Try again in ${words}.`, { 'Retry-After': String(seconds), 'RateLimit-Limit': '5' }])
})

test('says after how many seconds to try again', () => {
  const failure = new Failure('SERVICE_UNAVAILABLE', 'Not now.', { headers: { 'Retry-After': '5' } })
  expect(wordedFor(failure, undefined).headers).toEqual({ 'Retry-After': '5' })
})
