import { afterAll } from 'vitest'
import { startServer } from '../../src/server/app.ts'
import { startWorker } from '../../src/server/worker.ts'
import { checkAnswer, checkNothingStoredIsShown } from './contract.ts'
import { type TestWorld, type TestWorldPlan, testWorld } from './world.ts'

/** The answer to a call. */
export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read any part of the answer.
  body: any
  headers: Headers
}

/** How a call differs from a plain JSON call. */
export interface CallOptions {
  /** The API key, sent as a bearer token. */
  key?: string
  /** The session cookie of a person. */
  cookie?: string
  headers?: Record<string, string>
}

/** A complete server on a free port. */
export interface TestServer {
  url: string
  world: TestWorld
  /** `call('POST /contacts', { email }, { key })`: a string or a form is sent as it is, anything else as JSON. */
  call(route: string, body?: unknown, options?: CallOptions): Promise<Answer>
}

/** Starts the server of a test world; with `worker` its background work as well. Closed after the file's tests. */
export async function testServer(plan: TestWorldPlan & { worker?: boolean; world?: TestWorld } = {}): Promise<TestServer> {
  const world = plan.world ?? (await testWorld(plan))
  const server = await startServer(world)
  if (plan.worker) await startWorker(world)
  // Vitest runs the last hook first: the server closes before its world.
  afterAll(() => server.close())
  return { url: server.url, world, call: (route, body, options) => callAt(server.url, route, body, options) }
}

/** Calls a route of a server over HTTP; redirects are not followed. */
export async function callAt(url: string, route: string, body?: unknown, { key, cookie, headers = {} }: CallOptions = {}): Promise<Answer> {
  const [method = 'GET', path = '/'] = route.split(' ', 2)
  const isForm = body instanceof FormData
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(cookie !== undefined && { cookie }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' || isForm ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const type = response.headers.get('content-type')
  const isJson = /json/.test(type ?? '') && text !== ''
  const answer = { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers }
  checkNothingStoredIsShown(route, text)
  checkAnswer(method, new URL(url + path).pathname, { ...answer, isJson, type })
  return answer
}
