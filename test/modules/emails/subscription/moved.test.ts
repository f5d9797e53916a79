import { describe, expect, test } from 'vitest'
import { deleteContact, getContact, updateContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { contactLinks } from '../../../../src/modules/emails/subscription/links.ts'
import { accept, logOf, sendingProject } from '../../../help/mails.ts'
import { callAt, testServer } from '../../../help/server.ts'

const { world, url } = await testServer({ env: { EMAIL_TRANSPORT: 'capture' } })
const headers = { 'content-type': 'application/x-www-form-urlencoded' }
const old = 'ada@example.com'
const now = 'private@example.org'

/** What a link has besides contact and email: one of an earlier version of the program has no address. */
const links = { 'that has the address': { address: old }, 'of an earlier version': {} }

/** The links of an email to an address whose contact has another one by now. */
async function moved(more: { address?: string }, { subscribed = true } = {}) {
  const { ctx, projectId } = await sendingProject(world)
  const { id: emailId, contactId } = await accept(ctx, { to: old, subscribed })
  await updateContact(ctx, { id: contactId, email: now })
  const all = contactLinks(world, { projectId, contactId, emailId, ...more })
  const at = (link: string) => link.replace(world.publicUrl, '')
  const [unsubscribe, subscribe, manage] = [at(all.unsubscribeUrl), at(all.subscribeUrl), at(all.manageUrl)]
  const show = async (path: string) => (await callAt(url, `GET ${path}`)).body
  const post = (path: string, body: string) => callAt(url, `POST ${path}`, body, { headers })
  const isSubscribed = async (id = contactId) => (await getContact(ctx, { id })).subscribed
  return { ctx, contactId, emailId, unsubscribe, subscribe, manage, show, post, isSubscribed }
}

describe.each(Object.entries(links))('the links, %s, of an email whose contact has another address by now', (_which, more) => {
  test('show the address of the email, and never the other', async () => {
    const { unsubscribe, subscribe, manage, show, post } = await moved(more)
    for (const path of [unsubscribe, subscribe, manage]) {
      expect(await show(path)).toContain(old)
      expect(await show(path)).not.toContain(now)
      const { status, body } = await post(path, 'subscribed=false')
      expect([status, body]).toEqual([200, expect.stringContaining(old)])
      expect(body).not.toContain(now)
    }
  })

  test.each([
    ['one click', 'List-Unsubscribe=One-Click'],
    ['the button', 'subscribed=false'],
  ])('unsubscribe the address of the email by %s, and leave the contact that had it as it is', async (_by, body) => {
    const { ctx, unsubscribe, show, post, isSubscribed } = await moved(more)
    expect((await post(unsubscribe, body)).status).toBe(200)
    expect(await isSubscribed()).toBe(true)
    expect(await logOf(ctx)).toEqual([])
    expect(await show(unsubscribe)).toContain('name="subscribed" value="true"')
    expect((await upsertContact(ctx, { email: old })).subscribed).toBe(false)
  })

  test('leave a contact that was never subscribed as it is, too: it has not opted out', async () => {
    const { ctx, contactId, unsubscribe, post } = await moved(more, { subscribed: false })
    expect((await post(unsubscribe, 'List-Unsubscribe=One-Click')).status).toBe(200)
    const stored = await world.db.prisma.contact.findMany({ where: { projectId: ctx.projectId, id: contactId } })
    expect(stored).toMatchObject([{ subscribed: false, optedOut: false }])
  })

  test('unsubscribe and subscribe the contact that has the address of the email now', async () => {
    const { ctx, emailId, unsubscribe, subscribe, show, post, isSubscribed } = await moved(more)
    const { id } = await upsertContact(ctx, { email: old, data: { locale: 'de' } })
    expect(await show(unsubscribe)).toContain('<html lang="de"')
    await post(unsubscribe, 'List-Unsubscribe=One-Click')
    expect([await isSubscribed(id), await isSubscribed()]).toEqual([false, true])
    const [line] = await world.db.prisma.event.findMany({ where: { projectId: ctx.projectId, contactId: id } })
    expect(line).toMatchObject({ name: 'contact.unsubscribed', emailId, data: { source: 'one_click' } })
    await post(subscribe, 'subscribed=true')
    expect([await isSubscribed(id), await isSubscribed()]).toEqual([true, true])
  })

  test('forget that the address has opted out when it subscribes again', async () => {
    const { ctx, contactId, unsubscribe, subscribe, manage, show, post, isSubscribed } = await moved(more)
    await updateContact(ctx, { id: contactId, subscribed: false })
    await post(unsubscribe, 'subscribed=false')
    expect(await show(manage)).toContain('name="subscribed" value="true"')
    await post(subscribe, 'subscribed=true')
    expect(await show(manage)).toContain('name="subscribed" value="false"')
    expect(await isSubscribed()).toBe(false)
    expect((await upsertContact(ctx, { email: old })).subscribed).toBe(true)
  })
})

test('links of an earlier version are not valid any more when that contact was deleted, or the email is not known: nothing changes', async () => {
  const { ctx, contactId, emailId, unsubscribe, show, post, isSubscribed } = await moved({})
  const { id } = await upsertContact(ctx, { email: old })
  const foreign = contactLinks(world, { projectId: ctx.projectId, contactId: id, emailId }).unsubscribeUrl.replace(world.publicUrl, '')
  expect((await post(foreign, 'subscribed=false')).status).toBe(404)
  await deleteContact(ctx, { id: contactId })
  for (const body of ['List-Unsubscribe=One-Click', 'subscribed=false']) expect((await post(unsubscribe, body)).status).toBe(404)
  expect(await show(unsubscribe)).not.toMatch(/@example/)
  expect(await isSubscribed(id)).toBe(true)
})
