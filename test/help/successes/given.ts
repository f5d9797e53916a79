import type { Route } from '../../../src/kit/route.ts'
import { sendingProject } from '../mails.ts'
import { freshUser, type Person } from '../people.ts'
import type { CallOptions, TestServer } from '../server.ts'
import type { SnsTwin } from '../sns.ts'
import type { FakeStripe } from '../stripe.ts'

/** What a call that succeeds is made with: a project that may send from demo.test, with its owner. */
export interface Given extends Pick<TestServer, 'world'> {
  projectId: string
  secret: string
  owner: Person
  stripe: FakeStripe
  sns: SnsTwin
  /** Makes something with another call of the project, which must succeed; returns its body. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any part of the answer.
  make(route: string, body?: unknown, options?: CallOptions): Promise<any>
}

/** A fresh project on a server. */
export async function given({ world, call }: TestServer, twins: Pick<Given, 'stripe' | 'sns'>): Promise<Given> {
  const { projectId, secret } = await sendingProject(world)
  const owner = await freshUser(world, { member: { projectId, role: 'OWNER' } })
  const make: Given['make'] = async (route, body, as = { key: secret }) => {
    const answer = await call(route, body, as)
    if (answer.status >= 300) throw new Error(`${route} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return { world, projectId, secret, owner, ...twins, make }
}

/** Who calls a route unless something else is said: the owner where a person has to, nobody where anyone may. */
export function callerOf({ access }: Route, { owner, secret }: Given): CallOptions {
  if (access === 'none') return {}
  return access === 'user' || access === 'admin session' ? owner : { key: secret }
}

/** The path of a call of a route. */
export function pathOf(route: Route, { projectId }: Given, params: Record<string, string> = {}): string {
  const values: Record<string, string> = { projectId, ...(route.projectIn && { id: projectId }), ...params }
  return route.path.replaceAll(/:(\w+)/g, (_, parameter: string) => values[parameter] ?? '')
}

/** How to call a route so that it succeeds. */
export interface Success {
  /** The values of the parameters of its path. */
  params?: Record<string, string>
  query?: string
  body?: unknown
  /** Default: the owner where a person has to call, nobody where anyone may, otherwise the secret key. */
  as?: CallOptions
}

/** By method, path and status: what has to be there before, and the call. */
export type Successes = Record<string, (given: Given) => Success | Promise<Success>>

/** A call that needs nothing. */
export const plain = (): Success => ({})

/** The contact that most calls are about. */
export const ada = { email: 'ada@example.com', data: { plan: 'pro' } }

/** Creates that contact; returns its id as a parameter. */
export async function contact({ make }: Pick<Given, 'make'>): Promise<{ params: { id: string } }> {
  return { params: { id: (await make('POST /contacts', ada)).id } }
}
