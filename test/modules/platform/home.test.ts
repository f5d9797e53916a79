import { expect, test } from 'vitest'
import { createDomain } from '../../../src/modules/domains/domains.ts'
import { checkTransport } from '../../../src/modules/emails/delivery/transport.ts'
import { accept, sendingProject } from '../../help/mails.ts'
import { freshUser } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { testWorld } from '../../help/world.ts'

const { call, world } = await testServer()
const links = (body: string) => [...body.matchAll(/<a href="([^"]+)"/g)].map(([, link]) => link)

test('the home page links to everything open to the caller, and names the signed-in user', async () => {
  const front = await call('GET /')
  expect([front.status, links(front.body)]).toEqual([200, ['/docs', '/graphql', '/mailbox']])
  for (const link of links(front.body))
    expect((await call(`GET ${link}`, undefined, { headers: { accept: 'text/html' } })).status).toBe(200)
  const user = await freshUser(world)
  expect((await call('GET /', undefined, user)).body).toContain(`You are signed in as ${user.email}.`)
})

test('in production it links to nothing that is closed to the caller', async () => {
  const env = { NODE_ENV: 'production', APP_SECRET: 'x'.repeat(40), EMAIL_TRANSPORT: 'smtp://127.0.0.1:9', HOST: '127.0.0.1' }
  const closed = await testServer({ world: await testWorld({ env }) })
  expect(links((await closed.call('GET /')).body)).toEqual(['/docs'])
  const user = await freshUser(closed.world)
  expect(links((await closed.call('GET /', undefined, user)).body)).toEqual(['/docs', '/graphql'])
})

test('outside production it shows the state of the installation: mail server, domains, emails waiting', async () => {
  const problem = { reason: 'connect ECONNREFUSED 127.0.0.1:25', advice: 'Check host and port in EMAIL_TRANSPORT.' }
  const mailServer = {
    send: async () => ({ kind: 'deferred' as const, response: '', problem }),
    check: async () => problem,
    async close() {},
  }
  const env = { EMAIL_TRANSPORT: 'smtp://user:secret@127.0.0.1:25' }
  const server = await testServer({ world: await testWorld({ mailServer, env }) })
  const { ctx } = await sendingProject(server.world)
  await createDomain(ctx, { domain: 'pending.example' })
  await accept(ctx, {})
  await checkTransport(server.world)
  const { body } = await server.call('GET /')
  for (const words of [
    'smtp://127.0.0.1:25 (cannot be used)',
    problem.reason,
    problem.advice,
    '1 verified, 1 waiting for DNS records',
    '<dt>Emails waiting</dt><dd>1</dd>',
  ])
    expect(body).toContain(words)
  expect(body).not.toContain('secret')
})

test('every page has an icon', async () => {
  expect((await call('GET /')).body).toContain('<link rel="icon" href="/favicon.svg">')
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    const { status, headers, body } = await call(`GET ${path}`)
    expect([status, headers.get('content-type'), body]).toEqual([200, 'image/svg+xml', expect.stringContaining('<svg')])
  }
})
