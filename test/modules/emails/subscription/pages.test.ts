import { describe, expect, test } from 'vitest'
import { deleteContact, getContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { sortPlainData } from '../../../../src/modules/contacts/data.ts'
import { writeRows } from '../../../../src/modules/contacts/import/write.ts'
import { contactLinks } from '../../../../src/modules/emails/subscription/links.ts'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { accept, logOf, sendingProject, settled, turnAndSweep } from '../../../help/mails.ts'
import { callAt, testServer } from '../../../help/server.ts'

const { world, url } = await testServer({ env: { EMAIL_TRANSPORT: 'capture' } })
const form = { 'content-type': 'application/x-www-form-urlencoded' }

function at(link: string): string {
  return link.replace(world.publicUrl, '')
}

async function subscriber(to = 'ada@example.com') {
  const project = await sendingProject(world)
  const mail = await accept(project.ctx, { to, subscribed: true, data: { locale: 'de' } })
  const links = contactLinks(world, { projectId: project.projectId, contactId: mail.contactId, emailId: mail.id, address: to })
  const subscribed = async () => (await getContact(project.ctx, { id: mail.contactId })).subscribed
  return {
    ...project,
    ...mail,
    subscribed,
    unsubscribe: at(links.unsubscribeUrl),
    subscribe: at(links.subscribeUrl),
    manage: at(links.manageUrl),
  }
}

describe('the pages of a contact', () => {
  test('opening a link changes nothing: email scanners open every link', async () => {
    const { unsubscribe, subscribe, manage, subscribed, ctx } = await subscriber()
    for (const path of [unsubscribe, subscribe, manage]) {
      expect((await callAt(url, `HEAD ${path}`)).status).toBe(200)
      const page = await callAt(url, `GET ${path}`)
      expect(page.status).toBe(200)
      expect(page.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'$/,
      )
      expect(page.body).toContain('<html lang="de" dir="ltr">')
      expect(page.body).not.toMatch(/<script|src="http|href="http/)
    }
    expect(await subscribed()).toBe(true)
    expect(await logOf(ctx)).toEqual([])
  })

  test('subscribe a contact 20 times a day, and unsubscribe it always', async () => {
    const { manage, unsubscribe, subscribed, ctx, contactId } = await subscriber()
    // While an email to the contact waits to be sent, each answer to one that unsubscribes would, too.
    await world.db.prisma.delivery.deleteMany({ where: { projectId: ctx.projectId, email: { contactId } } })
    const choose = (value: boolean) => callAt(url, `POST ${manage}`, `subscribed=${value}`, { headers: form })
    for (let round = 0; round < 21; round++) for (const value of [false, true]) expect((await choose(value)).status).toBe(200)
    expect([await subscribed(), (await logOf(ctx)).length]).toEqual([false, 41])
    expect((await choose(true)).body).toContain('name="subscribed" value="true"')
    world.clock.turn(86_460_000)
    await choose(true)
    expect(await subscribed()).toBe(true)
    await callAt(url, `POST ${unsubscribe}`, 'List-Unsubscribe=One-Click', { headers: form })
    expect(await subscribed()).toBe(false)
  })

  test('the buttons change the subscription, and the log names the email', async () => {
    const { unsubscribe, manage, subscribed, ctx, id } = await subscriber()
    expect((await callAt(url, `POST ${unsubscribe}`, 'subscribed=false', { headers: form })).status).toBe(200)
    expect(await subscribed()).toBe(false)
    expect((await callAt(url, `POST ${manage}`, 'subscribed=true', { headers: form })).status).toBe(200)
    expect(await subscribed()).toBe(true)
    expect((await callAt(url, `POST ${manage}`, '', { headers: form })).status).toBe(200)
    expect(await subscribed()).toBe(true)
    expect(await logOf(ctx)).toEqual([
      { name: 'contact.unsubscribed', data: { source: 'page' } },
      { name: 'contact.subscribed', data: { source: 'page' } },
    ])
    const events = await world.db.prisma.event.findMany({
      where: { projectId: ctx.projectId, contactId: { not: null } },
      select: { emailId: true },
    })
    expect(events.map(({ emailId }) => emailId)).toEqual([id, id])
  })

  test.each([
    ['a form', 'List-Unsubscribe=One-Click', form],
    [
      'multipart',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
      { 'content-type': 'multipart/form-data; boundary=x' },
    ],
  ])(
    'one click by a mail program, as %s (RFC 8058): changes it at once and answers with text; repeating it changes nothing',
    async (_what, body, headers) => {
      const { unsubscribe, subscribed, ctx } = await subscriber()
      for (const _ of [1, 2]) {
        expect(await callAt(url, `POST ${unsubscribe}`, body, { headers })).toMatchObject({ status: 200, body: 'Unsubscribed' })
      }
      expect(await subscribed()).toBe(false)
      expect(await logOf(ctx)).toEqual([{ name: 'contact.unsubscribed', data: { source: 'one_click' } }])
    },
  )

  test('the buttons work as multipart too, and a form that only mentions one click is not a one-click request', async () => {
    const { manage, unsubscribe, subscribed, ctx } = await subscriber()
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const field = (name: string, value: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--x--\r\n`
    expect((await callAt(url, `POST ${manage}`, field('subscribed', 'false'), { headers })).status).toBe(200)
    expect(await subscribed()).toBe(false)
    expect((await callAt(url, `POST ${manage}`, field('subscribed', 'true'), { headers })).status).toBe(200)
    expect(await subscribed()).toBe(true)
    expect((await callAt(url, `POST ${unsubscribe}`, field('note', 'List-Unsubscribe One-Click'), { headers })).status).toBe(200)
    expect(await logOf(ctx)).toEqual([
      { name: 'contact.unsubscribed', data: { source: 'page' } },
      { name: 'contact.subscribed', data: { source: 'page' } },
      { name: 'contact.unsubscribed', data: { source: 'page' } },
    ])
    expect((await callAt(url, `POST ${manage}`, 'no form at all', { headers })).status).toBe(400)
  })

  test('a forged link, one of an earlier version for a deleted contact, and a deleted project: a 404 page, and nothing changes', async () => {
    const { unsubscribe, subscribed, ctx, contactId, manage, id: emailId } = await subscriber()
    const foreign = contactLinks(world, { projectId: 'prj_other', contactId, emailId: null })
    for (const path of [`${unsubscribe}x`, '/unsubscribe/a.b', '/manage/.', '/subscribe/x', at(foreign.unsubscribeUrl)]) {
      expect((await callAt(url, `GET ${path}`)).status).toBe(404)
      expect((await callAt(url, `POST ${path}`, 'subscribed=false', { headers: form })).status).toBe(404)
    }
    expect(await subscribed()).toBe(true)
    const earlier = at(contactLinks(world, { projectId: ctx.projectId, contactId, emailId }).manageUrl)
    expect((await callAt(url, `GET ${earlier}`)).status).toBe(200)
    await deleteContact(ctx, { id: contactId })
    expect((await callAt(url, `GET ${earlier}`)).status).toBe(404)
    expect((await callAt(url, `POST ${earlier}`, 'subscribed=false', { headers: form })).status).toBe(404)
    expect((await callAt(url, `GET ${manage}`)).status).toBe(200)
    await world.db.prisma.project.delete({ where: { id: ctx.projectId } })
    expect((await callAt(url, `GET ${manage}`)).status).toBe(404)
  })

  test('a page says so where there is nothing to do any more, and offers the opposite', async () => {
    const { unsubscribe, subscribe, manage } = await subscriber()
    const shown = async (path: string) =>
      /<h1>(.*?)<\/h1><p>(.*?)<\/p>.*<button .*>(.*?)<\/button>/.exec((await callAt(url, `GET ${path}`)).body)?.slice(1)
    const subscribed = ['Ihre Einstellungen', 'ada@example.com ist für E-Mails von Acme angemeldet.', 'Abmelden']
    const unsubscribed = ['Ihre Einstellungen', 'ada@example.com ist nicht für E-Mails von Acme angemeldet.', 'Anmelden']
    expect(await shown(unsubscribe)).toEqual([
      'Abmelden',
      'Möchten Sie keine E-Mails von Acme an ada@example.com mehr erhalten?',
      'Abmelden',
    ])
    expect([await shown(subscribe), await shown(manage)]).toEqual([subscribed, subscribed])
    await callAt(url, `POST ${unsubscribe}`, 'subscribed=false', { headers: form })
    expect(await shown(subscribe)).toEqual(['Anmelden', 'Möchten Sie E-Mails von Acme an ada@example.com erhalten?', 'Anmelden'])
    expect([await shown(unsubscribe), await shown(manage)]).toEqual([unsubscribed, unsubscribed])
  })

  test.each([
    ['nl-BE,nl;q=0.9,en;q=0.8', 'nl', 'Deze link is niet geldig'],
    ['pt-BR, fr;q=0.5', 'fr', 'Ce lien n&#39;est pas valide'],
    ['*', 'en', 'This link is not valid'],
  ])('a link that is not valid says so in a language of the browser: %s', async (accepted, language, title) => {
    const { body } = await callAt(url, 'GET /manage/x', undefined, { headers: { 'accept-language': accepted } })
    expect(body).toContain(`<html lang="${language}"`)
    expect(body).toContain(`<h1>${title}</h1>`)
  })

  test('an address is shown as text, whatever it contains', async () => {
    const { manage, ctx } = await subscriber("o'hara@example.com")
    await world.db.prisma.project.update({ where: { id: ctx.projectId }, data: { name: '<img src=x onerror=alert(1)>' } })
    const { body } = await callAt(url, `GET ${manage}`)
    expect(body).toContain('&lt;img src=x')
    expect(body).toContain('o&#39;hara@example.com')
  })
})

describe('the link to unsubscribe of a contact that was never subscribed', () => {
  const marketing = { subject: undefined, body: undefined, from: undefined }

  test.each([
    ['the button of the page', 'subscribed=false'],
    ['one click by a mail program', 'List-Unsubscribe=One-Click'],
  ])('by %s: later marketing emails are withheld, an import does not subscribe it, and nothing is logged', async (_by, body) => {
    const { ctx, projectId } = await sendingProject(world)
    const template = (await createTemplate(ctx, { subject: 'Hi', body: 'Hi', from: 'hello@demo.test' })).id
    const to = 'ada@example.com'
    const first = await accept(ctx, { ...marketing, to, template })
    await turnAndSweep(world, 0)
    expect((await settled(ctx, first.id, 'SENT')).status).toBe('SENT')
    const link = at(contactLinks(world, { projectId, contactId: first.contactId, emailId: first.id }).unsubscribeUrl)
    expect((await callAt(url, `GET ${link}`)).body).toContain('name="subscribed" value="false">Unsubscribe')
    expect((await callAt(url, `POST ${link}`, body, { headers: form })).status).toBe(200)
    expect((await callAt(url, `GET ${link}`)).body).toContain('name="subscribed" value="true">Subscribe')
    expect((await logOf(ctx)).filter(({ name }) => name.startsWith('contact.'))).toEqual([])
    const second = await accept(ctx, { ...marketing, to, template })
    await turnAndSweep(world, 0)
    expect((await settled(ctx, second.id, 'SUPPRESSED')).reason).toBe('The contact has unsubscribed from marketing emails.')
    const rows = [{ email: to, subscribed: true, patch: sortPlainData({}), line: 2 }]
    await world.db.transaction((tx) => writeRows(tx, world, { projectId, rows }))
    expect((await getContact(ctx, { id: first.contactId })).subscribed).toBe(false)
    await deleteContact(ctx, { id: first.contactId })
    expect((await upsertContact(ctx, { email: to })).subscribed).toBe(false)
  })
})
