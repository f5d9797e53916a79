import { expect, test } from 'vitest'
import type { Route } from '../../src/kit/route.ts'
import { routes } from '../../src/server/routes.ts'
import { document } from '../help/contract.ts'
import { freshFolder } from '../help/folder.ts'
import { testServer } from '../help/server.ts'
import { snsTwin } from '../help/sns.ts'
import { fakeStripe } from '../help/stripe.ts'
import { successOf } from '../help/successes/calls.ts'
import { callerOf, given, pathOf } from '../help/successes/given.ts'

const [stripe, sns] = [await fakeStripe(), snsTwin()]
const server = await testServer({ env: { ...stripe.env, ...sns.env, DATA_DIR: await freshFolder() }, worker: true })

const examples = routes.flatMap((route) => {
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
  const example = document.paths[path][route.method.toLowerCase()].requestBody?.content['application/json']?.example as object | undefined
  return example ? [[`${route.method} ${route.path}`, route, example] as const] : []
})

// What nobody can know before: ids, the tokens of mailed links, and who has an account here.
const ofCaller = (at: string, name: string, value: unknown): boolean =>
  /^[a-z]{3}_[0-9a-z]{26}$/.test(String(value)) || ['token', 'currentPassword'].includes(name) || at === 'POST /auth/login'

const statusesOf = ({ notes: { status = 200 } }: Route): number[] => (typeof status === 'number' ? [status] : status.all)

test.each(examples)('%s accepts the example of its body as it stands, but for ids and secrets', async (at, route, example) => {
  const statuses = statusesOf(route)
  const project = await given(server, { stripe, sns })
  const { params, body, as = callerOf(route, project) } = await successOf(`${at} ${statuses[0]}`, project)
  const known = body as Record<string, unknown> | undefined
  const sent = Object.fromEntries(Object.entries(example).map(([name, value]) => [name, ofCaller(at, name, value) ? known?.[name] : value]))
  const answer = await server.call(`${route.method} ${pathOf(route, project, params)}`, sent, as)
  expect([answer.status, answer.body?.error]).toEqual([expect.toSatisfy((status: number) => statuses.includes(status)), undefined])
})
