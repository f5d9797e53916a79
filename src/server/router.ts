import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'
import { Failure } from '../kit/errors.ts'
import type { World } from '../kit/world.ts'
import type { Arrival } from './http.ts'
import { refuse } from './replies.ts'

/** Answers a method on a path; what it throws is reported to the caller. */
export interface Endpoint {
  method: string
  /** The path, with parameters as in `/contacts/:id`; `/*` at its end stands for whatever is below it, and for itself. */
  path: string
  /** Whether other methods on this path are answered with 405 and list this one in Allow, or with 404. */
  listed: boolean
  answer(arrival: Arrival, params: Record<string, string>): Promise<void>
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Finds the endpoint of a request with Hono's router. Endpoints use Node's request and response, because converting them to
 * web objects takes longer than everything else here. Another method on a listed path is a 405, any other path a 404.
 */
export function createRouter(world: World, endpoints: Endpoint[]): (arrival: Arrival) => void {
  const router = new SmartRouter<Endpoint>({ routers: [new RegExpRouter(), new TrieRouter()] })
  // Fixed paths before those with parameters: the first match is used.
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
    refuse(world, arrival, notFoundFailure(methods.filter((other) => find(other, path)?.endpoint.listed)))
  }
}

function notFoundFailure(listed: string[]): Failure {
  if (listed.length === 0) return new Failure('UNKNOWN_ROUTE')
  const Allow = [...listed, ...(listed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  return new Failure('METHOD_NOT_ALLOWED', undefined, { headers: { Allow } })
}

interface Found {
  endpoint: Endpoint
  params: Record<string, string>
}

// The routers return either the parameters themselves or their positions in `stash`.
function paramsOf(found: Record<string, string> | Record<string, number>, stash: string[] | undefined): Record<string, string> {
  const params: Record<string, string> = {}
  for (const name in found) {
    const at = found[name]
    params[name] = decodeURIComponent(typeof at === 'number' ? (stash?.[at] ?? '') : String(at))
  }
  return params
}

// Fixed segments sort before parameters, and these before whatever else is below a path; first of all whether the last one is fixed: an event
// may be named `contact`, and `/events/contact/usage` asks what uses it, because no contact has the id `usage`.
function specificity(path: string): string {
  const isFixed = !/^[:*]/.test(path.slice(path.lastIndexOf('/') + 1))
  return (isFixed ? '' : '~') + path.replaceAll(/:\w+/g, '~').replace('*', '~~')
}
