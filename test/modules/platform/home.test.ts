import { expect, test } from 'vitest'
import { freshUser } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { testWorld } from '../../help/world.ts'

const { call, world } = await testServer()
const links = (body: string) => [...body.matchAll(/href="([^"]+)"/g)].map(([, link]) => link)

test('the front door says where everything is, and who is signed in', async () => {
  const front = await call('GET /')
  expect([front.status, links(front.body)]).toEqual([200, ['/docs', '/graphql', '/mailbox']])
  for (const link of links(front.body))
    expect((await call(`GET ${link}`, undefined, { headers: { accept: 'text/html' } })).status).toBe(200)
  const user = await freshUser(world)
  expect((await call('GET /', undefined, user)).body).toContain(`You are signed in as ${user.email}.`)
})

test('in production it leads nobody to what is closed', async () => {
  const env = { NODE_ENV: 'production', APP_SECRET: 'x'.repeat(40), EMAIL_TRANSPORT: 'smtp://127.0.0.1:9', HOST: '127.0.0.1' }
  const closed = await testServer({ world: await testWorld({ env }) })
  expect(links((await closed.call('GET /')).body)).toEqual(['/docs'])
  const user = await freshUser(closed.world)
  expect(links((await closed.call('GET /', undefined, user)).body)).toEqual(['/docs', '/graphql'])
})
