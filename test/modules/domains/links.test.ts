import { request } from 'node:http'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { linksUrlOf } from '../../../src/modules/domains/links.ts'
import { createTemplate } from '../../../src/modules/templates/templates.ts'
import { accept, sendingProject, turnAndSweep } from '../../help/mails.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'

const { world, url, call } = await testServer({ env: { EMAIL_TRANSPORT: 'capture', TRACKING_HOST: 'track.post.example' } })

async function projectWith(ownLinks: boolean) {
  const project = await sendingProject(world)
  await world.db.prisma.domain.updateMany({ where: { projectId: project.projectId }, data: { ownLinks } })
  return project
}

/** The bodies and header fields of a tracked MARKETING email. */
async function sentBy({ ctx, projectId }: Awaited<ReturnType<typeof sendingProject>>): Promise<string> {
  const body = '<a href="https://example.com/x">x</a> <a href="{{ unsubscribeUrl }}">u</a>'
  const template = await createTemplate(ctx, { subject: 'Hi', body, from: 'hello@demo.test', type: 'MARKETING' })
  const { id } = await accept(ctx, { template: template.id, from: undefined, subject: undefined, body: undefined })
  await turnAndSweep(world, 0)
  const [mail] = await world.db.prisma.capturedMail.findMany({ where: { projectId, emailId: id } })
  const { html = '', text = '', headers } = await PostalMime.parse(Buffer.from(mail?.raw ?? ''))
  return [html, text, ...headers.map(({ key, value }) => `${key}: ${value}`)].join('\n')
}

const originsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/(https?:\/\/[^/\s"]+)\/(?:t|unsubscribe|subscribe|manage)\//g)].map(([, origin = '']) => origin)),
]

describe('the links of an email', () => {
  test('are on links.<domain> once the domain points there, those of headers and of the preview included', async () => {
    const project = await projectWith(true)
    const text = await sentBy(project)
    expect(originsIn(text)).toEqual(['https://links.demo.test'])
    expect(text).toMatch(/^list-unsubscribe: <https:\/\/links\.demo\.test\/unsubscribe\//m)
    expect(text).toContain('href="https://links.demo.test/t/c/')
    expect(text).toContain('src="https://links.demo.test/t/o/')
    const [template] = await world.db.prisma.template.findMany({ where: { projectId: project.projectId } })
    const { body } = await call(`POST /templates/${template?.id}/preview`, {}, { key: project.secret })
    expect(originsIn(body.html)).toEqual(['https://links.demo.test'])
  })

  test('are below PUBLIC_URL where the domain does not point there', async () => {
    expect(originsIn(await sentBy(await projectWith(false)))).toEqual([world.publicUrl])
  })

  test('are below PUBLIC_URL where the operator has no such host', () => {
    const sender = { address: 'hello@demo.test', hasOwnLinks: true }
    expect(linksUrlOf({ config: { ...world.config, TRACKING_HOST: undefined }, publicUrl: 'http://x' }, sender)).toBe('http://x')
  })
})

/** The status and body of a request with another Host, which fetch does not allow. */
function ask(method: string, path: string, host: string): Promise<{ status: number; body: string; location: string | undefined }> {
  return new Promise((resolve, reject) => {
    const asked = request(url + path, { method, headers: { host } }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body, location: response.headers.location }))
    })
    asked.on('error', reject).end()
  })
}

describe('a link host', () => {
  test.each(['links.demo.test', 'links.demo.test:443', 'links.demo.test.', 'track.post.example', 'LINKS.Demo.test'])(
    'serves the pages of recipients and their tracked links: %s',
    async (host) => {
      const { projectId, ...project } = await projectWith(false)
      const { id, contactId } = await accept(project.ctx)
      const pixel = `/t/o/${world.vault.sign('tracked mail', [projectId, id])}`
      const click = `/t/c/${world.vault.sign('tracked mail', [projectId, id])}~${world.vault.sign('tracked link', [projectId, 'https://example.com/x'])}`
      const page = world.vault.sign('contact page', [projectId, contactId])
      expect((await ask('GET', pixel, host)).status).toBe(200)
      expect((await ask('GET', click, host)).status).toBe(302)
      for (const path of [`/unsubscribe/${page}`, `/subscribe/${page}`, `/manage/${page}`])
        expect((await ask('GET', path, host)).body).toContain('ada@example.com')
      expect((await ask('POST', `/unsubscribe/${page}`, host)).status).toBe(200)
      expect((await ask('GET', '/favicon.svg', host)).status).toBe(200)
    },
  )

  test.each([
    ['GET', '/'],
    ['GET', '/healthz'],
    ['GET', '/docs'],
    ['GET', '/mailbox'],
    ['GET', '/config'],
    ['GET', '/graphql'],
    ['POST', '/graphql'],
    ['POST', '/v1/send'],
    ['POST', '/auth/login'],
    ['GET', '/contacts'],
    ['GET', '/uploads/x'],
    ['POST', '/t/o/x'],
  ])('serves nothing else: %s %s', async (method, path) => {
    for (const host of ['links.demo.test', 'links.demo.test.', 'track.post.example.']) {
      const { status, body } = await ask(method, path, host)
      expect([host, status, JSON.parse(body).error.code]).toEqual([host, 404, 'UNKNOWN_ROUTE'])
    }
  })

  test('is not a name that somebody else resolves to this server', async () => {
    for (const host of ['evil.example', 'xlinks.demo.test', 'links', 'track.post.example.evil.test', 'x.track.post.example'])
      expect((await ask('GET', '/healthz', host)).status).toBe(403)
  })

  test('accepts no websockets', async () => {
    const answered = new Promise<number>((resolve, reject) => {
      const upgrade = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      }
      const asked = request(`${url}/graphql`, {
        headers: { host: 'links.demo.test', 'sec-websocket-protocol': 'graphql-transport-ws', ...upgrade },
      })
      asked
        .on('response', ({ statusCode = 0 }) => resolve(statusCode))
        .on('upgrade', () => resolve(101))
        .on('error', reject)
        .end()
    })
    expect(await answered).toBe(403)
  })
})

describe('a tracked link on the link host of a domain', () => {
  const target = 'https://example.com/x?a=1&b="'
  const href = 'https://example.com/x?a=1&amp;b=%22'

  async function sent() {
    const project = await projectWith(false)
    const { id } = await accept(project.ctx)
    await turnAndSweep(world, 0)
    const { projectId } = project
    const path = `/t/c/${world.vault.sign('tracked mail', [projectId, id])}~${world.vault.sign('tracked link', [projectId, target])}`
    return { ...project, id, path }
  }

  const setDomain = (projectId: string, data: object) => world.db.prisma.domain.updateMany({ where: { projectId }, data })

  async function expectShown(path: string, host: string): Promise<void> {
    for (const method of ['GET', 'HEAD']) {
      const { status, location, body } = await ask(method, path, host)
      expect([method, status, location]).toEqual([method, 200, undefined])
      if (method === 'GET') expect(body).toContain(`<a href="${href}"`)
    }
  }

  test('of another project does not lead on: it shows where it leads, and is counted', async () => {
    const { projectId, id, path } = await sent()
    for (const host of ['links.other.example', 'LINKS.other.example:443', 'links.demo.test.other.example', 'links.x.demo.test'])
      await expectShown(path, host)
    await until(async () => (await world.db.prisma.email.findFirstOrThrow({ where: { projectId, id } })).clicks > 0)
  })

  test('of a project that has added the domain and has not verified it does not lead on', async () => {
    const { projectId, path } = await sent()
    await world.db.prisma.emailContent.updateMany({ where: { projectId }, data: { fromAddress: 'hello@elsewhere.test' } })
    await setDomain(projectId, { status: 'PENDING' })
    world.clock.turn(11_000)
    await expectShown(path, 'links.demo.test')
  })

  test.each([
    ['is not verified any more', (projectId: string) => setDomain(projectId, { status: 'PENDING' })],
    ['was removed', (projectId: string) => world.db.prisma.domain.deleteMany({ where: { projectId } })],
  ])('that an email from it has leads on, also when the domain %s', async (_what, change) => {
    const { projectId, path } = await sent()
    await change(projectId)
    world.clock.turn(11_000)
    expect(await ask('GET', path, 'links.demo.test')).toMatchObject({ status: 302, location: 'https://example.com/x?a=1&b=%22' })
  })

  test('leads on below PUBLIC_URL and on TRACKING_HOST whatever it was sent from', async () => {
    const { path } = await sent()
    for (const host of [new URL(world.publicUrl).host, 'track.post.example']) expect((await ask('GET', path, host)).status).toBe(302)
  })
})
