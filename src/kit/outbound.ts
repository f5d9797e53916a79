import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Dns } from './dns.ts'
import { familyOf, isLoopback, isPublicAddress, networkOf } from './networks.ts'
import { parseUrl } from './urls.ts'

/** Why there is no answer. `forbidden`: the address is not one that may be called; `refused`: the server answered with an error. */
export class OutboundError extends Error {
  readonly kind: 'forbidden' | 'refused' | 'unavailable'
  /** Whether there was no answer in time. */
  readonly late: boolean

  constructor(kind: OutboundError['kind'], message: string, { late = false, ...options }: ErrorOptions & { late?: boolean } = {}) {
    super(message, options)
    this.kind = kind
    this.late = late
  }
}

/** A request to an address that comes from outside. */
export interface OutboundRequest {
  url: string
  method: string
  headers: Readonly<Record<string, string>>
  body: string | null
}

/** What a server answered, whatever the status. */
export interface OutboundAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /**
   * Whether this is the whole body, its beginning because the rest was too much or came in too many pieces, or what came before the
   * connection or the time ended. The status counts either way: a receiver that has sent it has had the whole request and decided, and
   * to call it again would only repeat what it did. Standard Webhooks and those who send by it look at the status alone as well.
   */
  end: 'complete' | 'cut' | 'lost'
}

/** The bounds of a request: bytes of the body that are read, ms in all, and what ends it before. */
export interface OutboundLimits {
  maxBytes: number
  timeoutMs: number
  signal?: AbortSignal
  /** Called with each place, an address (of IPv6: its network) with a port, that may be connected to, before it is: what it throws ends the request. */
  meets?(place: string): void
}

/** Requests to addresses that come from outside. */
export interface Outbound {
  /**
   * The body at an https address, of at most `maxBytes`, within `timeoutMs` in all. Only public addresses are connected to, the
   * same that were checked, and redirects are not followed. Throws OutboundError.
   */
  get(url: string, limits: OutboundLimits): Promise<Buffer>
  /**
   * Sends a request over http or https, to port 80, 443 or one from 1024 on, on a connection of its own. Only public addresses are
   * connected to, the same that were checked, and this machine where the installation allows it. Redirects are answers. It has an
   * answer as soon as there are status and headers. Throws OutboundError, `unavailable` where to try again may help.
   */
  send(request: OutboundRequest, limits: OutboundLimits): Promise<OutboundAnswer>
}

interface OutboundPlan {
  /** Whether `send` may connect to this machine as well. */
  toLoopback?: boolean
  /** What is different in tests, whose servers have private addresses and certificates of their own. */
  allows?: (address: string) => boolean
  ca?: string
}

/** Requests over the network; names are looked up in `dns`. */
export function createOutbound(dns: Dns, { toLoopback = false, allows = isPublicAddress, ca }: OutboundPlan = {}): Outbound {
  const allowsSending = (address: string): boolean => allows(address) || (toLoopback && isLoopback(address))

  async function exchange(target: URL, request: OutboundRequest, limits: OutboundLimits, may: (address: string) => boolean) {
    const late = AbortSignal.timeout(limits.timeoutMs)
    const signal = limits.signal ? AbortSignal.any([late, limits.signal]) : late
    const addresses = await addressesOf(dns, target, may)
    for (const address of addresses) limits.meets?.(`${networkOf(address)} port ${portOf(target)}`)
    const why = (cause: Error): string => (late.aborted ? `no answer within ${limits.timeoutMs / 1_000} s` : sentenceOf(cause))
    return ask(target, request, { addresses, signal, ca, why, isLate: () => late.aborted, maxBytes: limits.maxBytes })
  }

  return {
    async get(url, limits) {
      const target = parseUrl(url)
      if (target?.protocol !== 'https:' || target.username || target.password)
        throw new OutboundError('forbidden', 'Only https addresses are fetched.')
      return wholeBody(await exchange(target, { url, method: 'GET', headers: {}, body: null }, limits, allows), limits)
    },
    async send(request, limits) {
      return exchange(parseTarget(request.url), request, limits, allowsSending)
    },
  }
}

// Those below belong to other protocols, whose servers would read the request as theirs.
const lowestPort = 1_024

const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80')

function parseTarget(text: string): URL {
  const url = parseUrl(text)
  if (!url) throw new OutboundError('forbidden', 'The address is not a URL.')
  if (!/^https?:$/.test(url.protocol)) throw new OutboundError('forbidden', 'Only http and https addresses are called.')
  if (url.username || url.password) throw new OutboundError('forbidden', 'The address must not contain a user name or password.')
  if (url.port !== '' && !['80', '443'].includes(url.port) && Number(url.port) < lowestPort)
    throw new OutboundError('forbidden', `Port ${url.port} is not called: only 80, 443 and those from ${lowestPort} on.`)
  return url
}

const maxAddresses = 8

// One of several private addresses is enough to refuse a name: which of them is used must not be a matter of chance.
async function addressesOf(dns: Dns, { hostname }: URL, allows: (address: string) => boolean): Promise<string[]> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = familyOf(host) === null ? await lookUp(dns, host) : [host]
  if (addresses.length === 0) throw new OutboundError('unavailable', `The name ${host} has no address.`)
  if (!addresses.every(allows)) throw new OutboundError('forbidden', `The address of ${host} is not a public one.`)
  return addresses.slice(0, maxAddresses)
}

async function lookUp(dns: Dns, host: string): Promise<string[]> {
  // No name server need know it (RFC 6761, 6.3).
  if (/(^|\.)localhost\.?$/i.test(host)) return ['127.0.0.1', '::1']
  const answers = await Promise.all([dns.lookUp('A', host), dns.lookUp('AAAA', host)])
  const addresses = answers.flatMap((answer) => (answer.kind === 'found' ? answer.records : []))
  const failed = answers.find((answer) => answer.kind === 'unknown')
  if (addresses.length === 0 && failed) throw new OutboundError('unavailable', `The name ${host} could not be looked up: ${failed.reason}.`)
  return addresses
}

interface Asking {
  addresses: string[]
  signal: AbortSignal
  ca: string | undefined
  why(cause: Error): string
  isLate(): boolean
  maxBytes: number
}

// What an answer may cost besides its body: a server that never comes to its answer, or sends it letter by letter, takes the time of all.
const maxInformational = 10
const maxChunks = 2_000
const maxOverhead = 192 * 1_024

function ask(
  url: URL,
  { method, headers, body }: OutboundRequest,
  { addresses, signal, ca, why, isLate, maxBytes }: Asking,
): Promise<OutboundAnswer> {
  const found = addresses.map((address) => ({ address, family: familyOf(address) === 'ipv6' ? 6 : 4 }))
  const lookup: LookupFunction = (_host, { all }, done) => (all ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family))
  const octets = body === null ? null : Buffer.from(body)
  const framing = octets === null ? {} : { 'content-length': String(octets.length) }
  const options = { method, headers: { ...octetsOf(headers), ...framing }, lookup, signal }
  return new Promise((resolve, reject) => {
    const asked =
      url.protocol === 'https:'
        ? secureRequest(url, {
            ...options,
            agent: new SecureAgent({ keepAlive: false, maxCachedSessions: 0 }),
            ...(ca !== undefined && { ca }),
          })
        : plainRequest(url, { ...options, agent: new PlainAgent({ keepAlive: false }) })
    asked.on('response', (response) => resolve(collect(response, maxBytes, isLate)))
    bound(asked, maxBytes + maxOverhead)
    const fail = (cause: Error): void =>
      reject(new OutboundError('unavailable', `${url.host} cannot be reached: ${why(cause)}.`, { cause, late: isLate() }))
    asked.on('error', fail)
    // Without an error where the server changes to another protocol.
    asked.on('close', () => fail(new Error('the connection was closed')))
    // A text would be joined to the headers, and those be written in its encoding.
    asked.end(octets ?? undefined)
  })
}

// Node writes each character of a header as one octet: those of UTF-8 here.
function octetsOf(headers: OutboundRequest['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]))
}

// Where several addresses were tried, each has an error of its own.
function sentenceOf(cause: Error): string {
  const [first] = cause instanceof AggregateError ? cause.errors : []
  return (first instanceof Error ? first : cause).message.replace(/\.$/, '')
}

// Ends a request whose answer is preceded by too much, or has too much around its body.
function bound(asked: ClientRequest, maxRead: number): void {
  let informational = 0
  asked.on('information', () => {
    informational++
    if (informational <= maxInformational) return
    // What of them has been read already is still parsed.
    asked.removeAllListeners('information').destroy(new Error(`it sent more than ${maxInformational} informational responses`))
  })
  asked.on('socket', (socket) => {
    let read = 0
    // Headers, framing and whatever else there is: of that, not everything is reported.
    socket.on('data', ({ length }: Buffer) => {
      read += length
      if (read > maxRead) asked.destroy(new Error(`it sent more than ${maxRead} bytes`))
    })
  })
}

function collect(response: IncomingMessage, maxBytes: number, isLate: () => boolean): Promise<OutboundAnswer> {
  const { statusCode: status = 0, headers } = response
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve) => {
    let ended = false
    const end = (how: OutboundAnswer['end']): void => {
      if (ended) return
      ended = true
      resolve({ status, headers, body: Buffer.concat(chunks).subarray(0, maxBytes), end: how })
      // Closes the connection.
      response.removeAllListeners('data').destroy()
    }
    response.on('data', (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size > maxBytes || chunks.length > maxChunks) end('cut')
    })
    // A body of no stated length also ends where we close its connection.
    response.on('end', () => end(isLate() ? 'lost' : 'complete'))
    // The connection or the time has ended: what came before counts.
    response.on('error', () => end('lost'))
    response.on('close', () => end('lost'))
  })
}

function wholeBody({ status, body, end }: OutboundAnswer, { maxBytes }: OutboundLimits): Buffer {
  if (status < 200 || status > 299) throw new OutboundError(status >= 500 ? 'unavailable' : 'refused', `The server answered ${status}.`)
  if (end === 'cut') throw new OutboundError('refused', `The answer is larger than ${maxBytes} bytes, or comes in too many pieces.`)
  if (end === 'lost') throw new OutboundError('unavailable', 'The answer ended early.')
  return body
}
