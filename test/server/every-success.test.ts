import { expect, test } from 'vitest'
import { type Route, readsBody } from '../../src/kit/route.ts'
import { routes } from '../../src/server/routes.ts'
import { freshFolder } from '../help/folder.ts'
import { sendingProject } from '../help/mails.ts'
import { freshUser } from '../help/people.ts'
import { type CallOptions, type TestServer, testServer } from '../help/server.ts'
import { snsTwin } from '../help/sns.ts'
import { fakeStripe } from '../help/stripe.ts'
import { accounts } from '../help/successes/accounts.ts'
import { audience } from '../help/successes/audience.ts'
import type { Given } from '../help/successes/given.ts'
import { sends } from '../help/successes/sending.ts'

const [stripe, sns] = [await fakeStripe(), snsTwin()]
const env = { ...stripe.env, ...sns.env, DATA_DIR: await freshFolder() }
// Without a worker what is queued stays as it is: it can be read, paused and cancelled.
const idle = await testServer({ env })
const working = await testServer({ env, worker: true })
const byWorker = ['POST /auth/reset-password 200', 'POST /users/@me/projects/:id/reset 200']
const successes = { ...accounts, ...audience, ...sends }

const rows = routes.flatMap((route) => {
  const { status = 200 } = route.notes
  const all = typeof status === 'number' ? [status] : status.all
  return all.map((each) => [`${route.method} ${route.path} ${each}`, route, each] as const)
})

test('every row of the interface has a call below for each of its statuses', () => {
  expect(Object.keys(successes).sort()).toEqual(rows.map(([name]) => name).sort())
})

async function given({ world, call }: TestServer): Promise<Given> {
  const { projectId, secret } = await sendingProject(world)
  const owner = await freshUser(world, { member: { projectId, role: 'OWNER' } })
  const make: Given['make'] = async (route, body, as = { key: secret }) => {
    const answer = await call(route, body, as)
    if (answer.status >= 300) throw new Error(`${route} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return { world, projectId, secret, owner, stripe, sns, make }
}

test.each(rows)('%s', async (name, route, status) => {
  const server = byWorker.includes(name) ? working : idle
  const project = await given(server)
  const { params = {}, query, body, as = callerOf(route, project) } = (await successes[name]?.(project)) ?? {}
  const values: Record<string, string> = { projectId: project.projectId, ...(route.projectIn && { id: project.projectId }), ...params }
  const path = route.path.replaceAll(/:(\w+)/g, (_, parameter: string) => values[parameter] ?? '')
  const answer = await server.call(`${route.method} ${path}${query ? `?${query}` : ''}`, readsBody(route) ? (body ?? {}) : undefined, as)
  expect([answer.status, answer.body?.error]).toEqual([status, undefined])
})

function callerOf({ access }: Route, { owner, secret }: Given): CallOptions {
  if (access === 'none') return {}
  return access === 'user' || access === 'admin session' ? owner : { key: secret }
}
