import type { Person } from '../people.ts'
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
