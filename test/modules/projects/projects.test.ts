import { describe, expect, test } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import { hashSecret } from '../../../src/kit/vault.ts'
import { authenticate } from '../../../src/modules/auth/calls/authenticate.ts'
import { createProject, getProject, getProjectKeys, regenerateKeys, updateProject } from '../../../src/modules/projects/projects.ts'
import { ProjectChange } from '../../../src/modules/projects/shapes.ts'
import { freshUser } from '../../help/people.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()

const storedKeys = (projectId: string) => world.db.prisma.projectKey.findMany({ where: { projectId }, orderBy: { kind: 'asc' } })

describe('createProject', () => {
  test('creates a project with a public and a secret key, enabled, tracked, in English', async () => {
    const project = await createProject(callIn(world), { name: 'Acme' })
    expect(project).toEqual({
      id: expect.stringMatching(/^prj_/),
      name: 'Acme',
      public: expect.stringMatching(/^pk_[0-9a-f]{64}$/),
      secret: expect.stringMatching(/^sk_[0-9a-f]{64}$/),
      webhookSecret: expect.stringMatching(/^whsec_/),
      disabled: false,
      disabledReason: null,
      tracking: 'ENABLED',
      language: 'en',
      utm: null,
      createdAt: world.clock.now(),
      updatedAt: world.clock.now(),
    })
  })

  test('stores keys hashed with SHA-256 and encrypted, never in plain text', async () => {
    const project = await createProject(callIn(world), { name: 'Acme' })
    const rows = await storedKeys(project.id)
    expect(rows.map(({ hash }) => hash)).toEqual([hashSecret(project.public), hashSecret(project.secret)])
    expect(JSON.stringify(rows)).not.toContain(project.secret)
    expect(JSON.stringify(rows)).not.toContain(project.secret.slice(3))
  })

  test('makes the signed-in user its owner', async () => {
    const user = await freshUser(world)
    const project = await createProject(user.ctx, { name: 'Acme' })
    expect(await world.db.prisma.membership.findMany({ where: { projectId: project.id } })).toMatchObject([
      { userId: user.userId, role: 'OWNER' },
    ])
  })
})

describe('updateProject', () => {
  test('changes only the fields that are given', async () => {
    const { ctx, projectId } = await freshProject(world)
    const before = await getProject(ctx, { id: projectId })
    const after = await updateProject(ctx, { id: projectId, tracking: 'MARKETING_ONLY' })
    expect(after).toEqual({ ...before, tracking: 'MARKETING_ONLY', updatedAt: expect.any(Date) })
    expect(await updateProject(ctx, { id: projectId, name: 'New name', language: 'pt-BR' })).toMatchObject({
      name: 'New name',
      language: 'pt-BR',
      tracking: 'MARKETING_ONLY',
    })
  })

  test('sets, keeps, replaces and removes UTM parameters', async () => {
    const { ctx, projectId: id } = await freshProject(world)
    const change = (utm: object | null) => updateProject(ctx, ProjectChange.parse({ id, utm }))
    expect((await change({ source: ' news ', medium: 'email' })).utm).toEqual({ source: 'news', medium: 'email', campaign: null })
    expect((await updateProject(ctx, { id, name: 'Other' })).utm).toEqual({ source: 'news', medium: 'email', campaign: null })
    expect((await change({ source: 'a', medium: 'b', campaign: 'c' })).utm).toEqual({ source: 'a', medium: 'b', campaign: 'c' })
    expect((await change(null)).utm).toBeNull()
  })

  test('fails with RESOURCE_NOT_FOUND for another project’s id and changes nothing', async () => {
    const { ctx } = await freshProject(world)
    const other = await freshProject(world)
    const before = await getProject(other.ctx, { id: other.projectId })
    await expect(updateProject(ctx, { id: other.projectId, name: 'Mine now' })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
    expect(await getProject(other.ctx, { id: other.projectId })).toEqual(before)
  })

  test.each([
    ['an empty name', { name: '  ' }],
    ['a name of 101 characters', { name: 'x'.repeat(101) }],
    ['a line break in the name', { name: 'Acme\r\nBcc: all@example.com' }],
    ['a NUL in the name', { name: 'Ac\0me' }],
    ['an unknown tracking', { tracking: 'SOMETIMES' }],
    ['a language that is no code', { language: 'english' }],
    ['UTM parameters without a source', { utm: { medium: 'email' } }],
    ['an empty UTM parameter', { utm: { source: ' ', medium: 'email' } }],
    ['a UTM parameter of 101 characters', { utm: { source: 'x'.repeat(101), medium: 'email' } }],
    ['a line break in a UTM parameter', { utm: { source: 'a\nb', medium: 'email' } }],
  ])('refuses %s', (_what, change) => {
    expect(ProjectChange.safeParse({ id: 'prj_x', ...change }).success).toBe(false)
  })
})

describe('regenerateKeys', () => {
  const withKey = (key: string) => authenticate(world, { authorization: `Bearer ${key}` }, { access: 'public', write: false })

  test('refuses both old keys when it returns, although they were in use, and accepts both new ones', async () => {
    const { ctx, projectId, ...old } = await freshProject(world)
    await withKey(old.secret)
    await withKey(old.public)
    const fresh = await regenerateKeys(ctx, { id: projectId })
    expect(fresh.secret).not.toBe(old.secret)
    expect(fresh.public).not.toBe(old.public)
    await expect(withKey(old.secret)).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
    await expect(withKey(old.public)).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
    expect((await withKey(fresh.secret)).projectId).toBe(projectId)
    expect((await withKey(fresh.public)).actor).toMatchObject({ key: 'PUBLIC' })
  })

  test('leaves exactly one pair of keys after ten concurrent rotations', async () => {
    const { ctx, projectId } = await freshProject(world)
    await Promise.all(Array.from({ length: 10 }, () => regenerateKeys(ctx, { id: projectId })))
    expect((await storedKeys(projectId)).map(({ kind }) => kind)).toEqual(['PUBLIC', 'SECRET'])
    const project = await getProjectKeys(ctx, { id: projectId })
    expect((await withKey(project.secret)).projectId).toBe(projectId)
    expect((await withKey(project.public)).projectId).toBe(projectId)
  })

  test('fails with RESOURCE_NOT_FOUND for another project’s id and keeps its keys', async () => {
    const { ctx } = await freshProject(world)
    const other = await freshProject(world)
    const before = await storedKeys(other.projectId)
    await expect(regenerateKeys(ctx, { id: other.projectId })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
    expect(await storedKeys(other.projectId)).toEqual(before)
  })
})
