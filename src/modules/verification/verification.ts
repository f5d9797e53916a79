import { emailAddress } from '../../kit/address.ts'
import type { Ctx } from '../../kit/context.ts'
import { domainName } from '../../kit/domain-name.ts'
import { waitOutside } from '../../kit/outside.ts'
import { type DomainFacts, factsOf } from './facts.ts'
import { domainLists } from './lists.ts'
import type { EmailCheck, EmailToCheck } from './shapes.ts'

type Caller = Pick<Ctx, 'world' | 'account' | 'projectId'> & Partial<Pick<Ctx, 'left'>>

// Shorter names are similar to too many others to be called a typo while their domain works.
const minNameLength = 5
// All of it, also where others of the account wait for slow name servers: a little less than the 5 s that are promised.
const answerMs = 4_800

/**
 * Finds out what can be known about an address without sending an email to it, within 5 s: its format, its domain in DNS,
 * and what our lists say about it. A failed DNS look-up is listed as a reason, but alone does not make the address invalid.
 */
export async function checkEmail(ctx: Caller, { email }: EmailToCheck): Promise<EmailCheck> {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at)
  // DNS and the lists have international names in ASCII.
  const domain = domainName(email.slice(at + 1)) ?? ''
  const wellFormed = emailAddress(email) !== null
  const asked = wellFormed ? waitOutside(ctx, () => factsOf(ctx.world, domain), { ms: answerMs, late: () => unanswered }) : malformed
  const [lists, facts] = await Promise.all([domainLists(), asked])
  const refusal = wellFormed ? refusalOf(facts) : 'Invalid email format'
  const meant = lists.probablyMeant(domain)
  const isTypo = meant !== undefined && (refusal !== undefined || meant.indexOf('.') >= minNameLength)
  const reasons = [
    ...(isTypo ? [`Possible typo detected, did you mean ${meant}?`] : []),
    ...(refusal === undefined ? [] : [refusal]),
    ...uncheckedOf(facts),
  ]
  return {
    email,
    valid: refusal === undefined,
    isDisposable: lists.isDisposable(domain),
    isAlias: lists.isAlias(domain),
    isTypo,
    isPlusAddressed: local.includes('+'),
    isPersonalEmail: !isTypo && lists.isPersonal(domain),
    domainExists: facts.exists.kind === 'yes',
    hasWebsite: facts.website.kind === 'yes',
    hasMxRecords: facts.mailServer.kind === 'yes',
    reasons: reasons.length > 0 ? reasons : ['Email appears to be valid'],
    ...(isTypo && { suggestedEmail: `${local}@${meant}` }),
  }
}

const late = { kind: 'unknown', reason: 'no answer in time' } as const
const unanswered: DomainFacts = { exists: late, website: late, mailServer: late }

const no = { kind: 'no' } as const
// DNS is not queried for an invalid name.
const malformed: DomainFacts = { exists: no, website: no, mailServer: no }

function refusalOf({ exists, mailServer }: DomainFacts): string | undefined {
  if (exists.kind === 'no') return 'Domain does not exist (no nameservers found)'
  if (mailServer.kind === 'null') return 'Domain does not accept email (null MX record)'
  if (mailServer.kind === 'no') return 'Domain cannot receive email (no MX records found)'
  return undefined
}

function uncheckedOf({ exists, website, mailServer }: DomainFacts): string[] {
  if (exists.kind === 'unknown') return [`Domain could not be checked (${exists.reason})`]
  return [
    ...(mailServer.kind === 'unknown' ? [`MX records could not be checked (${mailServer.reason})`] : []),
    ...(website.kind === 'unknown' ? [`Website could not be checked (${website.reason})`] : []),
  ]
}
