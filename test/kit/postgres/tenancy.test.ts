import { describe, expect, test } from 'vitest'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const { prisma } = world.db
const { projectId } = await freshProject(world)

describe('a query of a tenant table', () => {
  test.each<[string, object]>([
    ['without a condition', {}],
    ['with another condition only', { where: { id: 'tpl_1' } }],
    ['with a project that is undefined', { where: { projectId: undefined } }],
    ['with a project that is empty', { where: { projectId: '' } }],
    ['with a project that is a filter', { where: { projectId: { not: 'prj_1' } } }],
    ['with a project in one of several conditions', { where: { OR: [{ projectId }, { id: 'tpl_1' }] } }],
  ])('%s is refused before it runs', async (_how, args) => {
    await expect(prisma.template.count(args)).rejects.toThrow('Template.count was called without a projectId')
    await expect(prisma.template.deleteMany(args)).rejects.toThrow('Template.deleteMany was called without a projectId')
  })

  test.each(['projectKey', 'membership', 'invitation', 'capturedMail'] as const)(
    'that is also looked up without one, %s, is refused',
    async (model) => {
      const { count, deleteMany } = prisma[model] as typeof prisma.membership
      await expect(count({ where: {} })).rejects.toThrow('was called without a projectId')
      await expect(deleteMany({ where: {} })).rejects.toThrow('was called without a projectId')
    },
  )

  test('with a composite key whose project is undefined is refused', async () => {
    const where = { projectId_id: { projectId: undefined as unknown as string, id: 'tpl_1' } }
    await expect(prisma.template.findUnique({ where })).rejects.toThrow('without a projectId')
  })

  test('that writes rows, of which one has no project, is refused', async () => {
    const row = { projectId, key: 'plan', type: 'string' }
    const data = [row, { ...row, projectId: undefined }] as never
    await expect(prisma.contactField.createMany({ data })).rejects.toThrow('without a projectId')
  })

  test('with its project runs', async () => {
    expect(await prisma.template.count({ where: { projectId } })).toBe(0)
    expect(await prisma.template.findUnique({ where: { projectId_id: { projectId, id: 'tpl_1' } } })).toBeNull()
  })
})
