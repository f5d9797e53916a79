import { expect, test } from 'vitest'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { explainConditionFor } from '../../../src/modules/segments/explain.ts'
import { createSegment } from '../../../src/modules/segments/segments.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { call, world } = await testServer()

test('an explanation shows the beginning of a long text and no long list, however many filters ask them', async () => {
  const { ctx, secret: key } = await freshProject(world)
  const data = { note: `x${'😀'.repeat(20_000)}`, list: Array.from({ length: 3_000 }, (_, n) => n), short: ['a'], name: 'Ada' }
  const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com', data })
  const field = (at: number) => `data.${['note', 'list', 'short', 'name'][at % 4]}`
  const filters = Array.from({ length: 100 }, (_, at) => ({ field: field(at), operator: 'exists' as const }))
  const condition = { logic: 'AND' as const, groups: [{ filters }] }
  const { id } = await createSegment(ctx, { name: 'All', condition })
  const { body } = await call(`GET /segments/${id}/contacts/${contactId}/explanation`, undefined, { key })
  expect(body.matches).toBe(true)
  const shown = body.leaves.slice(0, 4).map(({ actual }: { actual: unknown }) => actual)
  expect(shown).toEqual([`x${'😀'.repeat(998)}…`, '(longer than 1000 characters)', ['a'], 'Ada'])
  expect(JSON.stringify(body).length).toBeLessThan(100 * 1_200)
  expect(await explainConditionFor(ctx, { condition, contactId })).toEqual(body)
})
