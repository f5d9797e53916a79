import { describe, expect, test } from 'vitest'
import { deleteContact, getContact, updateContact } from '../../../../src/modules/contacts/contacts.ts'
import { deliverEmails, deliveryIdle } from '../../../../src/modules/emails/delivery/worker.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { contactLinks } from '../../../../src/modules/emails/subscription/links.ts'
import { accept, logOf, sendingProject } from '../../../help/mails.ts'
import { callAt, testServer } from '../../../help/server.ts'

const { world, url } = await testServer({ env: { EMAIL_TRANSPORT: 'capture' } })
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

function at(link: string): string {
  return link.replace(world.publicUrl, '')
}

async function subscriber() {
  const project = await sendingProject(world)
  const mail = await accept(project.ctx, { subscribed: true, data: { locale: 'de' } })
  const links = contactLinks(world, { projectId: project.projectId, contactId: mail.contactId, emailId: mail.id })
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
      const page = await callAt(url, `GET ${path}`)
      expect(page.status).toBe(200)
      expect(page.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'$/,
      )
      expect(page.body).toContain('<html lang="de">')
      expect(page.body).not.toMatch(/<script|src="http|href="http/)
    }
    expect(await subscribed()).toBe(true)
    expect(await logOf(ctx)).toEqual([])
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
    const events = await world.db.prisma.event.findMany({ where: { projectId: ctx.projectId }, select: { emailId: true } })
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

  test('a forged link and a deleted contact: a 404 page, and nothing changes', async () => {
    const { unsubscribe, subscribed, ctx, contactId, manage } = await subscriber()
    const foreign = contactLinks(world, { projectId: 'prj_other', contactId, emailId: null })
    for (const path of [`${unsubscribe}x`, '/unsubscribe/a.b', '/manage/.', '/subscribe/x', at(foreign.unsubscribeUrl)]) {
      expect((await callAt(url, `GET ${path}`)).status).toBe(404)
      expect((await callAt(url, `POST ${path}`, 'subscribed=false', { headers: form })).status).toBe(404)
    }
    expect(await subscribed()).toBe(true)
    await deleteContact(ctx, { id: contactId })
    expect((await callAt(url, `GET ${manage}`)).status).toBe(404)
    expect((await callAt(url, `POST ${manage}`, 'subscribed=false', { headers: form })).status).toBe(404)
  })

  test('an address is shown as text, whatever it contains', async () => {
    const { manage, ctx, contactId } = await subscriber()
    await world.db.prisma.project.update({ where: { id: ctx.projectId }, data: { name: '<img src=x onerror=alert(1)>' } })
    await updateContact(ctx, { id: contactId, email: "o'hara@example.com" })
    const { body } = await callAt(url, `GET ${manage}`)
    expect(body).toContain('&lt;img src=x')
    expect(body).toContain('o&#39;hara@example.com')
  })
})

describe('opens and clicks', () => {
  async function delivered() {
    const project = await sendingProject(world)
    const mail = await accept(project.ctx, { body: '<a href="https://example.com/x">x</a>' })
    await deliverEmails(world, { turns: [[project.projectId, 'transactional']] })
    await deliveryIdle(world)
    const token = world.vault.sign('tracked mail', [project.projectId, mail.id])
    const link = `${token}~${world.vault.sign('tracked link', [project.projectId, 'https://example.com/x'])}`
    return { ...project, ...mail, pixel: `/t/o/${token}`, click: `/t/c/${link}` }
  }

  test('are counted, move the status forward only, and record whether a machine did it', async () => {
    const { ctx, id, pixel, click } = await delivered()
    await callAt(url, `GET ${pixel}`, undefined, { headers: browser })
    world.clock.turn(3_000)
    await callAt(url, `GET ${click}`, undefined, { headers: browser })
    await callAt(url, `GET ${pixel}`, undefined, { headers: browser })
    await callAt(url, `GET ${pixel}`, undefined, { headers: { 'user-agent': 'Googlebot/2.1' } })
    await callAt(url, `HEAD ${click}`, undefined, { headers: browser })
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'CLICKED', opens: 3, clicks: 2 })
    const lines = (await logOf(ctx))
      .slice(1)
      .map(({ name, data }) => [name, data.opens ?? data.clicks, data.isFirstOpen ?? data.isFirstClick, data.botReason])
    expect(lines).toEqual([
      ['email.open', 1, true, 'within 2 seconds of sending'],
      ['email.click', 1, true, null],
      ['email.open', 2, false, null],
      ['email.open', 3, false, 'user agent'],
      ['email.click', 2, false, 'HEAD request'],
    ])
  })

  test('that arrive at the same time are each counted', async () => {
    const { ctx, id, pixel } = await delivered()
    await Promise.all(Array.from({ length: 20 }, () => callAt(url, `GET ${pixel}`, undefined, { headers: browser })))
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'OPENED', opens: 20, clicks: 0 })
    expect(
      (await logOf(ctx))
        .filter(({ name }) => name === 'email.open')
        .map(({ data }) => data.opens)
        .sort((a, b) => Number(a) - Number(b)),
    ).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
  })

  test('forged: the pixel is returned and nothing is recorded; a link is a 404', async () => {
    const { ctx, id, pixel, click } = await delivered()
    const picture = await callAt(url, `GET ${pixel}x`)
    expect([picture.status, picture.headers.get('content-type'), picture.headers.get('cache-control')]).toEqual([
      200,
      'image/gif',
      'no-store, private',
    ])
    expect((await callAt(url, `GET ${click}x`)).status).toBe(404)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT', opens: 0, clicks: 0 })
  })
})
