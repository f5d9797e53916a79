import { describe, expect, test } from 'vitest'
import { newId } from '../../../../src/kit/ids.ts'
import { deliverEmails, deliveryIdle } from '../../../../src/modules/emails/delivery/worker.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { holder } from '../../../help/holder.ts'
import { accept, logOf, sendingProject } from '../../../help/mails.ts'
import { callAt, testServer } from '../../../help/server.ts'
import { until } from '../../../help/until.ts'

const { world, url } = await testServer({ env: { EMAIL_TRANSPORT: 'capture' } })
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }

describe('opens and clicks', () => {
  async function delivered(of?: Awaited<ReturnType<typeof sendingProject>>) {
    const project = of ?? (await sendingProject(world))
    const mail = await accept(project.ctx, { body: '<a href="https://example.com/x">x</a>' })
    await deliverEmails(world, { turns: [[project.projectId, 'transactional']] })
    await deliveryIdle(world)
    const token = world.vault.sign('tracked mail', [project.projectId, mail.id])
    const clickOn = (target: string): string => `/t/c/${token}~${world.vault.sign('tracked link', [project.projectId, target])}`
    return { ...project, ...mail, pixel: `/t/o/${token}`, clickOn, click: clickOn('https://example.com/x') }
  }

  test('are counted, move the status forward only, and record whether a machine did it', async () => {
    const { ctx, id, pixel, click } = await delivered()
    await callAt(url, `GET ${pixel}`, undefined, { headers: browser })
    world.clock.turn(3_000)
    await callAt(url, `GET ${click}`, undefined, { headers: browser })
    await callAt(url, `GET ${pixel}`, undefined, { headers: browser })
    await callAt(url, `GET ${pixel}`, undefined, { headers: { 'user-agent': 'Googlebot/2.1' } })
    await callAt(url, `HEAD ${click}`, undefined, { headers: browser })
    await callAt(url, `GET ${click}`, undefined, { headers: { ...browser, 'sec-purpose': 'prefetch;prerender' } })
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'CLICKED', opens: 3, clicks: 3, machineOpens: 2, machineClicks: 2 })
    const lines = (await logOf(ctx))
      .slice(1)
      .map(({ name, data }) => [name, data.opens ?? data.clicks, data.isFirstOpen ?? data.isFirstClick, data.botReason])
    expect(lines).toEqual([
      ['email.open', 1, true, 'within 2 seconds of sending'],
      ['email.click', 1, true, null],
      ['email.open', 2, false, null],
      ['email.open', 3, false, 'user agent'],
      ['email.click', 2, false, 'HEAD request'],
      ['email.click', 3, false, 'prefetch'],
    ])
  })

  test('are recorded up to 1,000 of people and of programs each: whoever has one email cannot fill the log', async () => {
    const { ctx, projectId, id, pixel, click } = await delivered()
    world.clock.turn(3_000)
    await world.db.prisma.email.updateMany({
      where: { projectId, id },
      data: { opens: 1_990, machineOpens: 992, clicks: 1_000, machineClicks: 0 },
    })
    const ask = (path: string, headers = browser) => callAt(url, `GET ${path}`, undefined, { headers })
    for (let round = 0; round < 3; round++)
      await Promise.all(Array.from({ length: 8 }, () => [ask(pixel), ask(pixel, { 'user-agent': 'Googlebot/2.1' }), ask(click)]).flat())
    expect((await ask(click)).status).toBe(302)
    expect(await getEmail(ctx, { id })).toMatchObject({ opens: 2_000, machineOpens: 1_000, clicks: 1_000, machineClicks: 0 })
    const names = (await logOf(ctx)).slice(1).map(({ name, data }) => `${name} ${data.bot}`)
    expect(names.toSorted()).toEqual([...Array(2).fill('email.open false'), ...Array(8).fill('email.open true')])
  })

  test('of people whose provider fetches pictures for them are people’s; those of Apple Mail Privacy Protection are counted apart', async () => {
    const { ctx, id, pixel } = await delivered()
    world.clock.turn(3_000)
    for (const agent of ['Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)', 'Mozilla/5.0'])
      await callAt(url, `GET ${pixel}`, undefined, { headers: { 'user-agent': agent } })
    expect(await getEmail(ctx, { id })).toMatchObject({ opens: 2, machineOpens: 1 })
    expect((await logOf(ctx)).slice(1).map(({ data }) => [data.bot, data.botReason])).toEqual([
      [false, null],
      [true, 'Apple Mail Privacy Protection'],
    ])
  })

  test('of several links within a second are a machine’s from the second one on; the same link twice, or later, is not', async () => {
    const { ctx, id, clickOn } = await delivered()
    world.clock.turn(3_000)
    // Ids are ahead of a clock that was set back.
    newId('event', new Date(world.clock.now().getTime() + 30_000))
    let clicks = 0
    // On a busy machine the answer does not wait for the record.
    const click = async (target: string) => {
      await callAt(url, `GET ${clickOn(target)}`, undefined, { headers: browser })
      clicks++
      await until(async () => (await logOf(ctx)).length === 1 + clicks)
    }
    await click('https://example.com/1')
    await click('https://example.com/1')
    await click('https://example.com/2')
    world.clock.turn(900)
    await click('https://example.com/3')
    world.clock.turn(1_500)
    await click('https://example.com/4')
    expect((await logOf(ctx)).slice(1).map(({ data }) => data.botReason)).toEqual([
      null,
      null,
      'several links within a second',
      'several links within a second',
      null,
    ])
    expect(await getEmail(ctx, { id })).toMatchObject({ clicks: 5, machineClicks: 2 })
  })

  test('of several links that arrive together are a machine’s, except for the one that was recorded first; those of other emails are not', async () => {
    const project = await sendingProject(world)
    const { ctx, id, clickOn } = await delivered(project)
    const other = await delivered(project)
    world.clock.turn(3_000)
    const paths = [other.click, ...[0, 1, 2, 3, 4].map((n) => clickOn(`https://example.com/${n}`))]
    await Promise.all(paths.map((path) => callAt(url, `GET ${path}`, undefined, { headers: browser })))
    const { clicks, machineClicks } = await getEmail(ctx, { id })
    expect([clicks, machineClicks >= 4]).toEqual([5, true])
    expect(await getEmail(other.ctx, other)).toMatchObject({ clicks: 1, machineClicks: 0 })
  })

  test('are answered at once although the row of their email is locked, and counted when it is free', async () => {
    const project = await sendingProject(world)
    const { ctx, id, pixel, click } = await delivered(project)
    const other = await delivered(project)
    const lock = await holder(world)
    await lock.run('select from emails where id = $1 for update', [id])
    const answers = await Promise.all([pixel, click].map((path) => callAt(url, `GET ${path}`, undefined, { headers: browser })))
    expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
      [200, null],
      [302, 'https://example.com/x'],
    ])
    await callAt(url, `GET ${other.click}`, undefined, { headers: browser })
    expect(await getEmail(other.ctx, other)).toMatchObject({ clicks: 1 })
    expect(await getEmail(ctx, { id })).toMatchObject({ opens: 0, clicks: 0 })
    await lock.commit()
    await until(async () => (await getEmail(ctx, { id })).clicks === 1)
    await until(async () => (await getEmail(ctx, { id })).opens === 1)
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

describe('a target', () => {
  const target = (length: number): string => 'https://example.com/?q='.padEnd(length, 'a')

  /** The targets of the links of an email: one that stands in its template, and one that it prints. */
  async function linksOf(to: string): Promise<string[]> {
    const { ctx, projectId } = await sendingProject(world)
    const body = `<a href="${to}">x</a> <a href="{{ to }}">y</a>`
    const { id } = await accept(ctx, { body, data: { to: { value: to, persistent: false } } })
    await deliverEmails(world, { turns: [[projectId, 'transactional']] })
    await deliveryIdle(world)
    const [mail] = await world.db.prisma.capturedMail.findMany({ where: { projectId, emailId: id } })
    const html = Buffer.from(mail?.raw ?? '')
      .toString()
      .replace(/=\r\n/g, '')
      .replaceAll('=3D', '=')
    return [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => href)
  }

  test('of 4 KB is tracked, and its tracked link leads to it', async () => {
    const links = await linksOf(target(4_096))
    expect(links).toHaveLength(2)
    for (const link of links) {
      expect(link.length).toBeLessThanOrEqual(6_000)
      const { pathname } = new URL(link)
      const { status, headers } = await callAt(url, `GET ${pathname}`, undefined, { headers: browser })
      expect([status, headers.get('location')]).toEqual([302, target(4_096)])
    }
  })

  test.each([4_500, 15_000])('of %s characters, whose tracked link proxies might refuse, stays as it is', async (length) => {
    expect(await linksOf(target(length))).toEqual([target(length), target(length)])
  })
})
