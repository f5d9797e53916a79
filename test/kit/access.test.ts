import { describe, expect, test } from 'vitest'
import { authorize, isWrite } from '../../src/kit/access.ts'
import { freshUser } from '../help/people.ts'
import { freshProject, testWorld } from '../help/world.ts'

const world = await testWorld()

describe('a call about a user', () => {
  test('needs no role of that user, and a role of everybody else', async () => {
    const { projectId } = await freshProject(world)
    const { ctx, userId } = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
    const other = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
    const about = (oneself: string | undefined) => () => authorize(ctx, { access: 'admin session', project: projectId, oneself }).projectId
    expect(about(userId)()).toBe(projectId)
    for (const another of [other.userId, undefined]) expect(about(another)).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }))
  })
})

test.each([
  [{ kind: 'GET' }, false],
  [{ kind: 'GET', changes: true }, true],
  [{ kind: 'POST' }, true],
  [{ kind: 'DELETE' }, true],
  [{ kind: 'Query' }, false],
  [{ kind: 'Subscription' }, false],
  [{ kind: 'Object' }, false],
  [{ kind: 'Mutation' }, true],
  [{ kind: 'something new' }, true],
])('%j is a write: %s', (call, write) => {
  expect(isWrite(call)).toBe(write)
})
