import { describe, expect, test, vi } from 'vitest'
import { WrittenTemplateChange } from '../../../../src/modules/templates/shapes.ts'
import {
  createTemplate,
  deleteTemplate,
  duplicateTemplate,
  getTemplate,
  getTemplateDocument,
  updateTemplate,
} from '../../../../src/modules/templates/templates.ts'
import {
  getTemplateVersion,
  getVersionBody,
  getVersionDocument,
  listTemplateVersions,
  restoreTemplateVersion,
} from '../../../../src/modules/templates/versions/versions.ts'
import { sendingProject } from '../../../help/mails.ts'
import { freshUser } from '../../../help/people.ts'
import { queriesOf } from '../../../help/queries.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()
const draft = { subject: 'One', body: '<p>One</p>', from: 'hello@demo.test' }
const said = (text: string) => ({
  type: 'doc' as const,
  content: [{ type: 'paragraph' as const, content: [{ type: 'text' as const, text }] }],
})

async function withTemplate() {
  const { ctx } = await sendingProject(world)
  const { id } = await createTemplate(ctx, draft)
  const numbers = async () => (await listTemplateVersions(ctx, { id })).map(({ no }) => no)
  return { ctx, id, numbers }
}

describe('versions of a template', () => {
  test('each save of its content is one, with who and when; a change of its name is none', async () => {
    const { ctx, id } = await withTemplate()
    const person = await freshUser(world, { member: { projectId: ctx.projectId, role: 'MEMBER' } })
    const at = world.clock.now()
    await updateTemplate({ ...ctx, actor: { kind: 'key', key: 'SECRET', projectDisabled: false } }, { id, name: 'Other' })
    await updateTemplate({ ...ctx, ...person.ctx, projectId: ctx.projectId }, { id, subject: 'Two', body: '<p>Two</p>' })
    const versions = await listTemplateVersions(ctx, { id })
    expect(versions).toMatchObject([
      { no: 2, subject: 'Two', mode: 'HTML', bytes: 10, actor: { type: 'user' }, email: person.email, createdAt: at },
      { no: 1, subject: 'One', mode: 'HTML', bytes: 10, email: null },
    ])
    expect(await Promise.all(versions.map((version) => getVersionBody(ctx, version)))).toEqual(['<p>Two</p>', '<p>One</p>'])
  })

  test('the newest 20 are kept, and of large ones 10 MB, but always two', async () => {
    const { ctx, id, numbers } = await withTemplate()
    for (let no = 2; no <= 23; no++) await updateTemplate(ctx, { id, subject: `${no}` })
    expect(await numbers()).toEqual(Array.from({ length: 20 }, (_, at) => 23 - at))
    for (const letter of ['a', 'b', 'c']) await updateTemplate(ctx, { id, body: letter.repeat(4_900_000) })
    expect(await numbers()).toEqual([26, 25])
  })

  test('one that an earlier release has saved is kept when it is changed', async () => {
    const { ctx, id, numbers } = await withTemplate()
    await world.db.prisma.templateVersion.deleteMany({ where: { projectId: ctx.projectId } })
    expect(await numbers()).toEqual([])
    await updateTemplate(ctx, { id, subject: 'Two' })
    expect(await listTemplateVersions(ctx, { id })).toMatchObject([{ no: 2 }, { no: 1, subject: 'One', actor: null }])
  })

  test('two saves at once get numbers of their own', async () => {
    const { ctx, id, numbers } = await withTemplate()
    await Promise.all(['a', 'b', 'c', 'd'].map((subject) => updateTemplate(ctx, { id, subject })))
    expect(await numbers()).toEqual([5, 4, 3, 2, 1])
  })

  test('they go with their template; a copy begins with one', async () => {
    const { ctx, id, numbers } = await withTemplate()
    await updateTemplate(ctx, { id, subject: 'Two' })
    const copy = await duplicateTemplate(ctx, { id })
    await deleteTemplate(ctx, { id })
    expect(await numbers()).toEqual([])
    expect(await listTemplateVersions(ctx, copy)).toMatchObject([{ no: 1, subject: 'Two' }])
  })

  test('another project sees and restores none', async () => {
    const { ctx, id } = await withTemplate()
    const { ctx: other } = await sendingProject(world)
    expect(await listTemplateVersions(other, { id })).toEqual([])
    await expect(getTemplateVersion(other, { id, no: 1 })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
    await expect(restoreTemplateVersion(other, { id, no: 1 })).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' })
    expect((await getTemplate(ctx, { id })).subject).toBe('One')
  })
})

describe('restoreTemplateVersion', () => {
  test('is a save: the template says again what the version says, and a version is added', async () => {
    const { ctx, id, numbers } = await withTemplate()
    await updateTemplate(ctx, { id, subject: 'Two', previewText: 'Look', body: '<p>Two</p>', name: 'Kept' })
    await restoreTemplateVersion(ctx, { id, no: 1 })
    expect(await getTemplate(ctx, { id })).toMatchObject({ ...draft, previewText: null, name: 'Kept' })
    expect(await numbers()).toEqual([3, 2, 1])
  })

  test('fails for a version that does not exist, and when the template has changed meanwhile; nothing is changed', async () => {
    const { ctx, id, numbers } = await withTemplate()
    await expect(restoreTemplateVersion(ctx, { id, no: 7 })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
    const ifUpdatedAt = new Date(world.clock.now().getTime() - 1)
    await expect(restoreTemplateVersion(ctx, { id, no: 1, ifUpdatedAt })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await numbers()).toEqual([1])
  })
})

describe('a visual template', () => {
  async function withVisual() {
    const { ctx } = await sendingProject(world)
    const template = await createTemplate(ctx, { subject: 'Hi', document: said('Hello {{ name }}'), from: draft.from })
    return { ctx, id: template.id, template }
  }

  test('has the HTML of its document as its body, also after a change of it', async () => {
    const { ctx, id, template } = await withVisual()
    expect(template).toMatchObject({ mode: 'VISUAL', body: expect.stringContaining("Hello {{ '{' }}{ name }}") })
    const changed = await updateTemplate(ctx, { id, document: said('Bye') })
    expect(changed).toMatchObject({ mode: 'VISUAL', body: expect.stringContaining('Bye') })
    expect((await getTemplateDocument(ctx, changed))?.toJSON()).toEqual(said('Bye'))
    expect((await getTemplateDocument(ctx, await duplicateTemplate(ctx, { id })))?.toJSON()).toEqual(said('Bye'))
  })

  test('has documents that are read one by one where they were stored as large, and not parsed to be answered', async () => {
    const { ctx, id } = await withVisual()
    await updateTemplate(ctx, { id, document: said('Bye') })
    await world.db.prisma.templateVersion.updateMany({ where: { projectId: ctx.projectId }, data: { bytes: 5_000_000 } })
    const versions = await listTemplateVersions(ctx, { id })
    const parse = vi.spyOn(JSON, 'parse')
    const read = () => Promise.all(versions.map((version) => getVersionDocument(ctx, version)))
    const { reply: found, queries } = await queriesOf(read, /as body\s+from/)
    const parsed = parse.mock.calls.filter(([text]) => text.includes('"doc"'))
    parse.mockRestore()
    expect(parsed).toEqual([])
    expect(found.map((document) => document?.toJSON())).toEqual([said('Bye'), said('Hello {{ name }}')])
    // Their sizes, and each of them.
    expect(queries).toBe(3)
  })

  test('becomes HTML by another body, not by the same; the version before keeps the document, and restores it', async () => {
    const { ctx, id, template } = await withVisual()
    expect(await updateTemplate(ctx, { id, body: template.body, name: 'Same' })).toMatchObject({ mode: 'VISUAL' })
    const html = await updateTemplate(ctx, { id, body: '<p>Mine</p>' })
    expect(html).toMatchObject({ mode: 'HTML', body: '<p>Mine</p>' })
    expect(await getTemplateDocument(ctx, html)).toBeNull()
    const [, before] = await listTemplateVersions(ctx, { id })
    expect(before).toMatchObject({ no: 1, mode: 'VISUAL' })
    expect(before && (await getVersionDocument(ctx, before))?.toJSON()).toEqual(said('Hello {{ name }}'))
    const restored = await restoreTemplateVersion(ctx, { id, no: 1 })
    expect(restored.mode).toBe('VISUAL')
    expect((await getTemplateDocument(ctx, restored))?.toJSON()).toEqual(said('Hello {{ name }}'))
  })

  test('becomes HTML with the HTML it has by the mode HTML; HTML does not become visual', async () => {
    const { ctx, id, template } = await withVisual()
    expect(await updateTemplate(ctx, { id, mode: 'HTML' })).toMatchObject({ mode: 'HTML', body: template.body })
    for (const change of [{ mode: 'VISUAL' as const }, { document: said('x') }])
      await expect(updateTemplate(ctx, { id, ...change })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        message: 'This template is written in HTML, which cannot become a visual document.',
      })
    expect(WrittenTemplateChange.safeParse({ id, body: 'x', document: said('x') }).success).toBe(false)
  })

  test('has pictures of https addresses and of its project only', async () => {
    const { ctx, id } = await withVisual()
    const showing = (src: string) => ({ type: 'doc' as const, content: [{ type: 'image' as const, attrs: { src } }] })
    const own = `${world.publicUrl}/uploads/${ctx.projectId}/upl_1.png`
    for (const src of ['https://example.com/a.png', own]) await updateTemplate(ctx, { id, document: showing(src) })
    for (const src of ['http://example.com/a.png', `${world.publicUrl}/uploads/prj_other/upl_1.png`])
      await expect(updateTemplate(ctx, { id, document: showing(src) })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    expect((await getTemplate(ctx, { id })).body).toContain(own)
  })
})
