import { createServer, Packet } from 'dns2'
import { afterAll } from 'vitest'

/** A record of the zone: the strings of a TXT record, a target, or a mail server with its priority. */
export type ZoneRecord =
  | { type: 'TXT'; strings: string[] }
  | { type: 'CNAME' | 'NS' | 'A' | 'AAAA'; value: string }
  | { type: 'MX'; exchange: string; priority: number }

type Trouble = 'SERVFAIL' | 'REFUSED' | 'silence' | number

/** A name server on 127.0.0.1 whose zone a test can change. Names that are not in it do not exist. */
export interface TestDns {
  /** The address for DNS_SERVERS. */
  address: string
  /** Every query it received, such as `TXT demo.example`. */
  questions: string[]
  /** Sets all records of a name; without any the name exists but has no records. */
  set(name: string, ...records: ZoneRecord[]): void
  /** Removes a name. */
  remove(name: string): void
  /** Answers everything at and below a name with SERVFAIL or REFUSED, not at all, or so many ms later; `null` ends that. */
  break(name: string, how: Trouble | null): void
}

const answers = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 }
const maxHops = 20

/** One TXT record; strings longer than 255 characters are split, as name servers do. */
export function txt(...strings: string[]): ZoneRecord {
  return { type: 'TXT', strings: strings.flatMap((one) => one.match(/.{1,255}/gs) ?? ['']) }
}

/** Starts a name server over UDP and TCP; closed after the file's tests. CNAMEs are followed inside the zone, as a resolver does. */
export async function testDns({ followsAliases = true } = {}): Promise<TestDns> {
  const zone = new Map<string, ZoneRecord[]>()
  const broken = new Map<string, Trouble>()
  const questions: string[] = []
  const plan: Parameters<typeof createServer>[0] = {
    handle(request, send) {
      const [asked] = request.questions
      const name = asked?.name.toLowerCase() ?? ''
      const type = Object.entries(Packet.TYPE).find(([, code]) => code === asked?.type)?.[0] ?? ''
      questions.push(`${type} ${name}`)
      const failure = [...broken].find(([at]) => name === at || name.endsWith(`.${at}`))?.[1]
      if (failure === 'silence') return
      const response = Packet.createResponseFromRequest(request)
      response.header.ra = 1
      if (typeof failure === 'string') response.header.rcode = answers[failure]
      else if (!zone.has(name)) response.header.rcode = answers.NXDOMAIN
      else response.answers.push(...(found(zone, name, type, followsAliases) as never[]))
      if (typeof failure === 'number') setTimeout(() => void send(response), failure)
      else void send(response)
    },
  }
  const port = await listen(plan)
  return {
    address: `127.0.0.1:${port}`,
    questions,
    set: (name, ...records) => void zone.set(name, records),
    remove: (name) => void zone.delete(name),
    break: (name, how) => void (how ? broken.set(name, how) : broken.delete(name)),
  }
}

// Answers longer than 512 bytes are queried again over TCP, on the same port.
async function listen(plan: Parameters<typeof createServer>[0]): Promise<number | undefined> {
  const address = '127.0.0.1'
  const tcp = createServer({ ...plan, tcp: true })
  const udp = createServer({ ...plan, udp: true })
  const { tcp: free } = await tcp.listen({ tcp: { port: 0, address } })
  const port = free?.port
  await udp.listen({ udp: { port: port ?? 0, address } })
  afterAll(() => Promise.all([tcp.close(), udp.close()]))
  return port
}

function found(zone: Map<string, ZoneRecord[]>, name: string, type: string, followsAliases: boolean): object[] {
  const out: object[] = []
  let at = name
  for (let hop = 0; hop < maxHops; hop++) {
    const records = zone.get(at) ?? []
    out.push(...records.filter((record) => record.type === type).map((record) => resource(at, record)))
    const alias = records.find((record) => record.type === 'CNAME')
    if (type === 'CNAME' || !alias || !('value' in alias)) break
    out.push(resource(at, alias))
    if (!followsAliases) break
    at = alias.value
  }
  return out
}

function resource(name: string, record: ZoneRecord): object {
  const head = { name, type: Packet.TYPE[record.type], class: Packet.CLASS.IN, ttl: 1 }
  if (record.type === 'TXT') return { ...head, data: record.strings }
  if (record.type === 'MX') return { ...head, exchange: record.exchange, priority: record.priority }
  if (record.type === 'A' || record.type === 'AAAA') return { ...head, address: record.value }
  return record.type === 'NS' ? { ...head, ns: record.value } : { ...head, domain: record.value }
}
