import { expect, test } from 'vitest'
import { cancelEmail } from '../../../src/modules/emails/cancel.ts'
import { asker } from '../../help/ask.ts'
import { graphql } from '../../help/graphql/index.ts'
import { accept, sendingProject } from '../../help/mails.ts'
import { testServer } from '../../help/server.ts'

const { world, url } = await testServer()

const List = graphql(`
  query FilteredEmails($filter: EmailFilter) { emails(filter: $filter) { totalCount nodes { id } } }
`)

test('emails are found by states, by a part of the address, and by time', async () => {
  const { ctx, secret } = await sendingProject(world)
  const found = async (filter: object) => {
    const { data, errors } = await asker(url, secret)(List, { filter })
    expect(errors).toEqual([])
    expect(data?.emails.totalCount).toBe(data?.emails.nodes.length)
    return data?.emails.nodes.map(({ id }) => id)
  }
  const { id: ada } = await accept(ctx, { to: 'ada@example.com' })
  world.clock.turn(3_600_000)
  const after = world.clock.now()
  const { id: bob } = await accept(ctx, { to: 'bob_b@example.com' })
  const { id: eve } = await accept(ctx, { to: 'eve@other.test' })
  await cancelEmail(ctx, { id: eve })
  expect(await found({ statuses: ['PENDING', 'SENDING', 'SENT'] })).toEqual([bob, ada])
  expect(await found({ statuses: ['CANCELLED'] })).toEqual([eve])
  expect(await found({ statuses: ['CANCELLED', 'PENDING', 'SENDING', 'SENT'] })).toEqual([eve, bob, ada])
  expect(await found({ search: 'EXAMPLE' })).toEqual([bob, ada])
  expect(await found({ search: 'b_b' })).toEqual([bob])
  expect(await found({ search: 'a_a' })).toEqual([])
  expect(await found({ from: after.toISOString() })).toEqual([eve, bob])
  expect(await found({ to: after.toISOString() })).toEqual([ada])
  expect(await found({ from: after.toISOString(), search: 'example', statuses: ['CANCELLED'] })).toEqual([])
  expect(await found({ executionId: 'exe_x' })).toEqual([])
})

test('a list of no states is refused', async () => {
  const { secret } = await sendingProject(world)
  const { errors } = await asker(url, secret)(List, { filter: { statuses: [] } })
  expect(errors[0]?.extensions.code).toBe('VALIDATION_ERROR')
})
