import { expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { deleteContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { sortPlainData } from '../../../../src/modules/contacts/data.ts'
import { writeRows } from '../../../../src/modules/contacts/import/write.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { contactLinks, readContactToken } from '../../../../src/modules/emails/subscription/links.ts'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { accept, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { callAt, testServer } from '../../../help/server.ts'

const { world, url } = await testServer({ env: { EMAIL_TRANSPORT: 'capture' } })
const headers = { 'content-type': 'application/x-www-form-urlencoded' }
const email = 'ada@example.com'
const own = { subject: undefined, body: undefined, from: undefined }

/** A marketing email to a subscribed contact that was deleted since, by the link in what was handed to the mail server. */
async function deleted() {
  const { ctx, projectId } = await sendingProject(world)
  const template = (await createTemplate(ctx, { subject: 'Hi', body: 'Hi', from: 'hello@demo.test' })).id
  const { id, contactId } = await accept(ctx, { ...own, to: email, template, subscribed: true })
  await turnAndSweep(world, 0)
  const [mail] = await world.db.prisma.capturedMail.findMany({ where: { projectId, emailId: id } })
  const head = Buffer.from(mail?.raw ?? '')
    .toString('latin1')
    .replace(/\r\n[ \t]+/g, '')
  const link = /^List-Unsubscribe: ?<(.*?)>/m.exec(head)?.[1]?.replace(world.publicUrl, '') ?? ''
  await deleteContact(ctx, { id: contactId })
  const next = async () => {
    const again = await accept(ctx, { ...own, to: email, template })
    await turnAndSweep(world, 0)
    return (await world.db.prisma.email.findUniqueOrThrow({ where: { projectId_id: { projectId, id: again.id } } })).status
  }
  return { ctx, link, next, post: (body: string) => callAt(url, `POST ${link}`, body, { headers }) }
}

const ways: Record<string, (ctx: Ctx) => Promise<unknown>> = {
  'is not there yet': async () => undefined,
  'was made again by track': (ctx) => trackEvent(ctx, { email, event: 'signed-up' }),
  'was made again by an upsert': (ctx) => upsertContact(ctx, { email, subscribed: true }),
  'was made again by an import': (ctx) => {
    const rows = [{ email, subscribed: true, patch: sortPlainData({}), line: 2 }]
    return world.db.transaction((tx) => writeRows(tx, world, { projectId: ctx.projectId, rows }))
  },
}

test.each(Object.keys(ways))('whoever got an email can unsubscribe by its link when their contact was deleted and %s', async (way) => {
  const { ctx, link, next, post } = await deleted()
  await ways[way]?.(ctx)
  expect((await callAt(url, `GET ${link}`)).body).toContain(email)
  expect((await post('List-Unsubscribe=One-Click')).status).toBe(200)
  expect(await next()).toBe('SUPPRESSED')
  expect((await post('subscribed=true')).status).toBe(200)
  expect(await next()).toBe('SENT')
})

test('a link says nothing of its address to who does not have the secret, and takes one of any length', () => {
  for (const address of ['a@b.test', `${'x'.repeat(60)}@example.com`, `${'ü'.repeat(30)}@${'müller.'.repeat(25)}test`]) {
    const subject = { projectId: 'prj_1', contactId: 'cnt_1', emailId: 'eml_1', address }
    const token = contactLinks(world, subject).manageUrl.split('/').at(-1) ?? ''
    expect(readContactToken(world, token)).toEqual(subject)
    const shown = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as string[]
    expect(shown.slice(0, 3)).toEqual(['prj_1', 'cnt_1', 'eml_1'])
    expect(Buffer.from(shown[3] ?? '', 'base64url').includes(address.slice(0, 3))).toBe(false)
    const other = contactLinks(world, { ...subject, emailId: 'eml_2' }).manageUrl
    expect(other).not.toContain(Buffer.from(JSON.stringify(shown[3])).toString('base64url').slice(4, 20))
  }
})
