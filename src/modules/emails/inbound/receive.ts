import { addressParser } from 'postal-mime'
import { domainOf, emailAddress } from '../../../kit/address.ts'
import { domainName } from '../../../kit/domain-name.ts'
import { Failure } from '../../../kit/errors.ts'
import { derivedId, newId } from '../../../kit/ids.ts'
import { isDuplicate, isReferenceViolation } from '../../../kit/postgres/db.ts'
import { createTurns } from '../../../kit/turns.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { chargeOf, chargeParameter, withinCaps } from '../../billing/charge.ts'
import { withinBounds } from '../../contacts/bounds.ts'
import { sortData } from '../../contacts/data.ts'
import { contactParameters } from '../../contacts/write.ts'
import { announceEvents } from '../../events/log.ts'
import { parseText } from '../parsing/parse.ts'
import { findInbound, findInboundProjects, storeInbound } from './sql.ts'

/** An email that came in, as a provider describes it. */
export interface InboundEmail {
  /** The id that the provider gave it: the same email is stored once. */
  providerId: string
  /** When it came in, the same whenever it is reported. */
  at: Date
  /** The envelope sender; empty for a bounce. */
  source: string
  /** The addresses it came to. */
  recipients: string[]
  fromHeader: string
  toHeader: string
  subject: string
  /** The message (RFC 5322), where the provider sends it along. */
  content: Buffer | null
  /** What the provider thinks of it, such as `spamVerdict: "PASS"`. */
  verdicts: Record<string, string | null>
  processingTimeMillis: number | null
}

// One after the other, each in a transaction of its own: some seconds in all. Amazon, whose notifications have at most 150 KB of an email,
// calls again after 15 s, and finds what was stored before.
const maxStored = 1_000
// Whoever sends to many addresses of a domain, again and again, leaves room for everybody else's.
const turnsOf = perWorld(() => createTurns({ max: 8, maxPerOwner: 1 }))

/**
 * Stores an email that came in, once for each of its addresses in each project that has verified the domain: its sender becomes a
 * contact (one that opted out stays so), and each is one email of the cap for inbound email. Above the cap it is dropped with a
 * warning in the log; without a sender it is dropped. Of more than 1,000 emails, for which domains take turns, the rest is dropped with
 * one warning that says how many.
 *
 * @returns how many emails were stored; those that were stored before count as well
 */
export async function receiveEmail(world: World, inbound: InboundEmail): Promise<number> {
  const sender = senderOf(inbound)
  const addresses = [...new Set(inbound.recipients.flatMap((one) => emailAddress(one) ?? []))]
  if (sender === null || addresses.length === 0) return 0
  const byDomain = Map.groupBy(addresses, asciiDomainOf)
  // One more, to see that there are more.
  const find = () => world.db.run(findInboundProjects, [[...byDomain.keys()], maxStored + 1])
  const receiving = await find()
  const [first] = receiving
  if (!first) return 0
  const body = await bodyOf(world, inbound, first)
  // It may have waited: what was reset, disabled or taken off meanwhile receives nothing that came before.
  const before = new Set(receiving.map(keyOf))
  const projects = (await find()).filter((one) => before.has(keyOf(one)))
  const left = projects.reduce((sum, { domain }) => sum + (byDomain.get(domain)?.length ?? 0), -maxStored)
  if (left > 0)
    world.log.warn({ left, messageId: inbound.providerId }, 'emails: an email that came in has too many recipients, the rest was dropped')
  return storeAll(
    world,
    inbound,
    [...arrivalsOf(projects, byDomain).take(maxStored)].map((one) => ({ ...one, sender, body })),
  )
}

async function storeAll(world: World, inbound: InboundEmail, arrivals: Arrival[]): Promise<number> {
  const dropped = new Map<string, { count: number; reason: string }>()
  for (const arrival of arrivals) {
    const { projectId } = arrival
    const refused = await turnsOf(world).run(projectId, () => storeWithinCaps(world, inbound, arrival))
    if (refused) dropped.set(projectId, { count: (dropped.get(projectId)?.count ?? 0) + 1, reason: refused })
  }
  let stored = arrivals.length
  for (const [projectId, { count, reason }] of dropped) {
    world.log.warn({ projectId, count, reason }, 'emails: an email that came in was dropped')
    stored -= count
  }
  return stored
}

const keyOf = ({ projectId, domain, reset }: { projectId: string; domain: string; reset: string | null }): string =>
  JSON.stringify([projectId, domain, reset])

// Each line of the log names so many: all of them in each would be the square of their number.
const maxNamed = 50

// The first address of each domain of a project, then the second of each, and so on.
function* arrivalsOf(
  projects: { projectId: string; domain: string }[],
  byDomain: Map<string, string[]>,
): Generator<Pick<Arrival, 'projectId' | 'domain' | 'address' | 'recipients'>> {
  const longest = [...byDomain.values()].reduce((max, { length }) => Math.max(max, length), 0)
  for (let at = 0; at < longest; at++)
    for (const { projectId, domain } of projects) {
      // Those at domains of others may have got a blind copy.
      const addresses = byDomain.get(domain) ?? []
      const address = addresses[at]
      if (address !== undefined) yield { projectId, domain, address, recipients: namedWith(address, at, addresses) }
    }
}

function namedWith(address: string, at: number, addresses: string[]): string[] {
  return at < maxNamed ? addresses.slice(0, maxNamed) : [address, ...addresses.slice(0, maxNamed - 1)]
}

// What answers an email by itself has no sender in the envelope: its author is a program.
function senderOf({ source, fromHeader }: InboundEmail): string | null {
  if (source.replace(/[<>\s]/g, '') === '') return null
  // The parser takes seconds for a long one.
  const [author] = addressParser(fromHeader.slice(0, maxFromHeader), { flatten: true })
  return emailAddress(author?.address ?? '') ?? emailAddress(source)
}

const maxFromHeader = 2_000

const asciiDomainOf = (address: string): string => domainName(domainOf(address)) ?? domainOf(address)

const maxBodyLength = 32_000

// Amazon calls again after 15 s, three times: an email is answered and stored without its text rather than lost. The project takes turns
// with others, because whoever sends can name as many senders as they like.
async function bodyOf(world: World, { content, source }: InboundEmail, { projectId }: { projectId: string }): Promise<string> {
  if (content === null) return ''
  const ended = AbortSignal.timeout(maxBodyWaitMs)
  const sender = [projectId, asciiDomainOf(source).toLowerCase()] as const
  try {
    return storable(await parseText(world, { raw: content, sender, ended }), maxBodyLength)
  } catch (error) {
    if (!ended.aborted || world.closing.aborted) throw error
    world.log.warn({ projectId }, 'emails: an email that came in is stored without its text, because too many others wait to be read')
    return ''
  }
}

const maxBodyWaitMs = 5_000

interface Arrival {
  projectId: string
  domain: string
  sender: string
  address: string
  /** Those that it came to at the same domain, at most 50, this one among them. */
  recipients: string[]
  body: string
}

// Null once it is stored, or was before; otherwise why it is not.
async function storeWithinCaps(world: World, inbound: InboundEmail, arrival: Arrival): Promise<string | null> {
  const { projectId, domain, address } = arrival
  const now = world.clock.now()
  const charge = chargeOf({ config: world.config, projectId }, { category: 'inbound', count: 1, at: now })
  const id = derivedId(
    'email',
    inbound.at.getTime() < now.getTime() + maxAheadMs ? inbound.at : now,
    `${projectId} ${address} ${inbound.providerId}`,
  )
  // Right before it is stored: the emails before it may have taken seconds.
  const [found] = await world.db.run(findInbound, [projectId, id, domain, inbound.at])
  if (found?.isStored) return null
  if (!found?.isReceiving) return notReceiving
  try {
    const parameters = [...parametersOf(world, inbound, { ...arrival, id }), chargeParameter([charge])]
    await withinCaps(world, charge, () => withinBounds(world.db.run(storeInbound, parameters)))
    announceEvents(world, projectId)
    return null
  } catch (error) {
    if (isDuplicate(error)) return null
    // Its contact was removed in the same moment.
    if (isReferenceViolation(error)) return notReceiving
    if (!(error instanceof Failure)) throw error
    return error.message
  }
}

const notReceiving = 'The project was emptied, deleted or disabled, or its domain removed, after it came in.'

// The clock of the provider may be ahead of ours: the email has the same id when it is reported again.
const maxAheadMs = 60_000
const maxSubjectLength = 1_000
const maxHeaderLength = 2_000

function parametersOf(
  world: World,
  inbound: InboundEmail,
  { projectId, sender, address, recipients, body, id }: Arrival & { id: string },
): unknown[] {
  const now = world.clock.now()
  const subject = storable(inbound.subject, maxSubjectLength)
  const write = {
    projectId,
    email: sender,
    patch: sortData(undefined),
    subscribed: null,
    subscribedIfNew: true,
    keyKind: 'SECRET',
    at: now,
  } as const
  const data = {
    messageId: storable(inbound.providerId, maxHeaderLength),
    from: sender,
    fromHeader: storable(inbound.fromHeader, maxHeaderLength),
    to: storable(inbound.toHeader, maxHeaderLength) || address,
    subject,
    timestamp: inbound.at,
    recipients,
    hasContent: inbound.content !== null,
    body,
    ...Object.fromEntries(Object.entries(inbound.verdicts).map(([name, verdict]) => [name, verdict && storable(verdict, maxHeaderLength)])),
    processingTimeMillis: inbound.processingTimeMillis,
    emailId: id,
    templateId: null,
    campaignId: null,
    sourceType: 'INBOUND',
  }
  const contact = contactParameters(world, [{ ...write, source: 'api' }])
  return [...contact, id, address, subject, now, newId('event', now), JSON.stringify(data)]
}

// Postgres stores neither NUL nor half of a pair of surrogates.
function storable(text: string, maxLength: number): string {
  return text.slice(0, maxLength).toWellFormed().replaceAll('\0', '')
}
