import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'
import { Failure } from '../kit/errors.ts'
import type { World } from '../kit/world.ts'
import type { Arrival } from './http.ts'
import { refuse } from './replies.ts'

/** What answers a method on a path; a throw is answered with what it means to the caller. */
export interface Endpoint {
  method: string
  /** With parameters as in `/contacts/:id`. */
  path: string
  /** Whether other methods on this path are told of it (405 with Allow); otherwise they find nothing (404). */
  listed: boolean
  answer(arrival: Arrival, params: Record<string, string>): Promise<void>
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Hono's router finds the endpoint, and the endpoint answers on Node's own request and response, because making web objects
 * of them costs more than everything else here. Another method on a listed path is a 405, any other path a 404.
 */
export function createRouter(world: World, endpoints: Endpoint[]): (arrival: Arrival) => void {
  const router = new SmartRouter<Endpoint>({ routers: [new RegExpRouter(), new TrieRouter()] })
  // Fixed paths before those with parameters: the first that fits answers.
  const ordered = [...endpoints].sort((a, b) => (specificity(a.path) < specificity(b.path) ? -1 : 1))
  for (const endpoint of ordered) router.add(endpoint.method, endpoint.path, endpoint)
  const find = (method: string, path: string): Found | undefined => {
    const [[first] = [], stash] = router.match(method, path)
    return first && { endpoint: first[0], params: paramsOf(first[1], stash) }
  }
  return (arrival) => {
    const { request, path } = arrival
    const found = find(request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET'), path)
    if (found) return void found.endpoint.answer(arrival, found.params).catch((error: unknown) => refuse(world, arrival, error))
    refuse(world, arrival, nothingFor(methods.filter((other) => find(other, path)?.endpoint.listed)))
  }
}

function nothingFor(listed: string[]): Failure {
  if (listed.length === 0) return new Failure('UNKNOWN_ROUTE')
  const Allow = [...listed, ...(listed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  return new Failure('METHOD_NOT_ALLOWED', undefined, { headers: { Allow } })
}

interface Found {
  endpoint: Endpoint
  params: Record<string, string>
}

// The routers answer parameters themselves, or where each stands in what they cut from the path.
function paramsOf(found: Record<string, string> | Record<string, number>, stash: string[] | undefined): Record<string, string> {
  const params: Record<string, string> = {}
  for (const name in found) {
    const at = found[name]
    params[name] = decodeURIComponent(typeof at === 'number' ? (stash?.[at] ?? '') : String(at))
  }
  return params
}

// Fixed segments sort before parameters.
function specificity(path: string): string {
  return path.replaceAll(/:\w+/g, '~')
}
