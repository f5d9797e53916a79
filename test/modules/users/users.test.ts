import { verify } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import { UserDraft } from '../../../src/modules/users/shapes.ts'
import { createUser } from '../../../src/modules/users/users.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld()
const ctx = callIn(world)

describe('createUser', () => {
  test('stores the address trimmed and lower-cased, and the password only as an argon2id hash', async () => {
    const user = await createUser(ctx, UserDraft.parse({ email: '  Ada@Example.COM ', password: 'correct horse' }))
    expect(user).toEqual({
      id: expect.stringMatching(/^usr_[0-9a-hjkmnp-tv-z]{26}$/),
      email: 'ada@example.com',
      emailVerified: false,
    })
    const { passwordHash } = await world.db.prisma.user.findUniqueOrThrow({ where: { id: user.id } })
    expect(passwordHash).toMatch(/^\$argon2id\$/)
    expect(await verify(passwordHash ?? '', 'correct horse')).toBe(true)
    expect(await verify(passwordHash ?? '', 'wrong horse')).toBe(false)
  })

  test('fails with CONFLICT when the address has an account, and leaves that account unchanged', async () => {
    const first = await createUser(ctx, { email: 'twice@example.com', password: 'first password' })
    const before = await world.db.prisma.user.findUniqueOrThrow({ where: { id: first.id } })
    await expect(createUser(ctx, { email: 'twice@example.com', password: 'other password' })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await world.db.prisma.user.findMany({ where: { email: 'twice@example.com' } })).toEqual([before])
  })
})

describe('UserDraft', () => {
  test.each([
    ['seven characters', '1234567'],
    ['201 characters', 'x'.repeat(201)],
    ['a NUL', 'good enough\0'],
  ])('refuses a password of %s', (_what, password) => {
    expect(UserDraft.safeParse({ email: 'ada@example.com', password }).success).toBe(false)
  })

  test.each([8, 200])('accepts a password of %i characters', (length) => {
    expect(UserDraft.safeParse({ email: 'ada@example.com', password: 'x'.repeat(length) }).success).toBe(true)
  })
})
