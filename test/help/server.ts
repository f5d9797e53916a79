import { afterAll } from 'vitest'
import { startServer } from '../../src/server/app.ts'
import { startWorker } from '../../src/server/worker.ts'
import { type TestWorld, type TestWorldPlan, testWorld } from './world.ts'

/** What a call was answered. */
export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads into whatever was answered.
  body: any
  headers: Headers
}

/** How a call differs from a plain JSON call. */
export interface CallOptions {
  /** The API key, sent as a bearer token. */
  key?: string
  /** The session cookie of somebody signed in. */
  cookie?: string
  headers?: Record<string, string>
}

/** A complete server on a port of its own. */
export interface TestServer {
  url: string
  world: TestWorld
  /** `call('POST /contacts', { email }, { key })`: a string body is sent as it is, anything else as JSON. */
  call(row: string, body?: unknown, options?: CallOptions): Promise<Answer>
}

/** Starts every entrance of a test world on a free port; with `worker` its background work as well. Closed after the file's tests. */
export async function testServer(plan: TestWorldPlan & { worker?: boolean; world?: TestWorld } = {}): Promise<TestServer> {
  const world = plan.world ?? (await testWorld(plan))
  const server = await startServer(world)
  if (plan.worker) await startWorker(world)
  // Vitest runs the last hook first: the server closes before its world.
  afterAll(() => server.close())
  return { url: server.url, world, call: (row, body, options) => callAt(server.url, row, body, options) }
}

/** Calls a row of any server over HTTP; redirects are answered, not followed. */
export async function callAt(url: string, row: string, body?: unknown, { key, cookie, headers = {} }: CallOptions = {}): Promise<Answer> {
  const [method = 'GET', path = '/'] = row.split(' ', 2)
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(cookie !== undefined && { cookie }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== ''
  return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers }
}
