import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Dns } from './dns.ts'
import { familyOf, isPublicAddress } from './networks.ts'

/** Why nothing was fetched. `forbidden`: the address is not one that may be fetched; `refused`: the server answered with an error. */
export class OutboundError extends Error {
  readonly kind: 'forbidden' | 'refused' | 'unavailable'

  constructor(kind: OutboundError['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Requests to addresses that come from outside. */
export interface Outbound {
  /**
   * The body at an https address, of at most `maxBytes`, within `timeoutMs` in all. Only public addresses are connected to, the
   * same that were checked, and redirects are not followed. Throws OutboundError.
   */
  get(url: string, limits: { maxBytes: number; timeoutMs: number }): Promise<Buffer>
}

/** What is different in tests, whose servers have private addresses and certificates of their own. */
interface OutboundPlan {
  allows?: (address: string) => boolean
  ca?: string
}

/** Requests over the network; names are looked up in `dns`. */
export function createOutbound(dns: Dns, { allows = isPublicAddress, ca }: OutboundPlan = {}): Outbound {
  return {
    async get(url, { maxBytes, timeoutMs }) {
      const target = parseTarget(url)
      const signal = AbortSignal.timeout(timeoutMs)
      const address = await addressOf(dns, target, allows)
      const response = await ask(target, { address, signal, ca })
      return collect(response, maxBytes)
    },
  }
}

function parseTarget(text: string): URL {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.username || url.password) throw new OutboundError('forbidden', 'Only https addresses are fetched.')
  return url
}

// One of several private addresses is enough to refuse a name: which of them is used must not be a matter of chance.
async function addressOf(dns: Dns, { hostname }: URL, allows: (address: string) => boolean): Promise<string> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = familyOf(host) === null ? await lookUp(dns, host) : [host]
  const [first] = addresses
  if (first === undefined) throw new OutboundError('unavailable', `The name ${host} has no address.`)
  if (!addresses.every(allows)) throw new OutboundError('forbidden', `The address of ${host} is not a public one.`)
  return first
}

async function lookUp(dns: Dns, host: string): Promise<string[]> {
  const answers = await Promise.all([dns.lookUp('A', host), dns.lookUp('AAAA', host)])
  return answers.flatMap((answer) => (answer.kind === 'found' ? answer.records : []))
}

interface Asking {
  address: string
  signal: AbortSignal
  ca: string | undefined
}

function ask(url: URL, { address, signal, ca }: Asking): Promise<IncomingMessage> {
  const family = familyOf(address) === 'ipv6' ? 6 : 4
  const lookup: LookupFunction = (_host, { all }, done) => (all ? done(null, [{ address, family }]) : done(null, address, family))
  const agent = new Agent({ keepAlive: false, maxCachedSessions: 0 })
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, lookup, signal, ...(ca !== undefined && { ca }) }, resolve)
    asked.on('error', (cause) => reject(new OutboundError('unavailable', `${url.host} cannot be reached: ${cause.message}`, { cause })))
    asked.end()
  })
}

async function collect(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const { statusCode = 0 } = response
  if (statusCode < 200 || statusCode > 299) {
    response.destroy()
    throw new OutboundError(statusCode >= 500 ? 'unavailable' : 'refused', `The server answered ${statusCode}.`)
  }
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw new OutboundError('refused', `The answer is larger than ${maxBytes} bytes.`)
      chunks.push(chunk)
    }
  } catch (cause) {
    if (cause instanceof OutboundError) throw cause
    throw new OutboundError('unavailable', 'The answer ended early.', { cause })
  }
  return Buffer.concat(chunks)
}
