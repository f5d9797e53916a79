import type { Handover } from '../mailer.ts'
import type { TransportProblem } from '../transport-problem.ts'
import { type SesError, textOf } from './client.ts'

/** What an answer that accepts a message means for its email. */
export function acceptedAs({ MessageId }: { MessageId?: string | undefined }): Handover {
  return { kind: 'accepted', response: MessageId === undefined ? 'Accepted by Amazon SES' : `Accepted by Amazon SES as ${MessageId}` }
}

type Advice = 'account' | 'key' | 'configuration' | 'network'

interface Row {
  names?: RegExp
  texts?: RegExp
  codes?: RegExp
  status?: RegExp
  means: 'refused' | 'deferred' | 'throttled' | 'uncertain' | { problem: Advice }
}

// What an error means for an email, by the first row that fits. SES says nothing about a recipient here: bounces come later.
const rows: Row[] = [
  // The sending rate, or the quota of 24 hours.
  { names: /^(TooManyRequests|Throttling|ThrottledException|RequestThrottled|LimitExceeded)/, means: 'throttled' },
  { names: /^ConcurrentModification/, means: 'deferred' },
  { names: /^(AccountSuspended|SendingPaused)/, means: { problem: 'account' } },
  { names: /^NotFoundException$/, means: { problem: 'configuration' } },
  { names: /^(MessageRejected|MailFromDomainNotVerified|BadRequest|Validation)/, means: 'refused' },
  {
    names:
      /^(CredentialsProviderError|UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch|ExpiredToken|IncompleteSignature|MissingAuthenticationToken|AccessDenied)/,
    means: { problem: 'key' },
  },
  { texts: /did not establish a connection/, means: { problem: 'network' } },
  { status: /^(401|403)$/, means: { problem: 'key' } },
  { status: /^429$/, means: 'throttled' },
  { status: /^(408|3\d\d|5\d\d)$/, means: 'deferred' },
  { status: /^4\d\d$/, means: 'refused' },
  {
    codes: /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/,
    means: { problem: 'network' },
  },
  // The connection was lost, or there was no answer in time: SES may have accepted it.
  { means: 'uncertain' },
]

/** What an error of a call means for its email; `whole`: SES may have all of the message. */
export function errorAs(error: SesError, { whole }: { whole: boolean }): Handover {
  const status = String(error.$metadata?.httpStatusCode ?? '')
  const fits = (pattern: RegExp | undefined, text: string): boolean => !pattern || pattern.test(text)
  const means = rows.find(
    (row) => fits(row.names, error.name) && fits(row.texts, error.message) && fits(row.status, status) && fits(row.codes, error.code ?? ''),
  )?.means
  const text = textOf(error)
  if (means === 'refused') {
    const answer = { phase: 'content' as const, code: Number(status), enhanced: null, text }
    return { kind: 'refused', response: `Amazon SES refused it: ${text}`, recipient: false, answer }
  }
  if (means === 'deferred') return { kind: 'deferred', response: `Amazon SES: ${text}` }
  if (means === 'throttled') return { kind: 'deferred', response: `Amazon SES: ${text}`, throttled: true }
  if (means === 'uncertain' && !whole)
    return { kind: 'deferred', response: `The connection to Amazon SES was lost before it had the message: ${text}` }
  if (typeof means === 'object')
    return { kind: 'deferred', response: `Amazon SES could not be used: ${text}`, problem: problemOf(text, means.problem) }
  return { kind: 'deferred', response: `The connection to Amazon SES was lost before it confirmed the message: ${text}`, uncertain: true }
}

const advice: Record<Advice, string> = {
  account: 'See the account dashboard of Amazon SES, and ask Amazon to let the account send.',
  key: 'Check SES_ACCESS_KEY_ID, SES_SECRET_ACCESS_KEY and SES_REGION, and that the key or role may call ses:SendEmail.',
  configuration: 'Check that SES_CONFIGURATION_SET exists in SES_REGION.',
  network: 'Check SES_REGION, the name servers of this machine, and whether a firewall lets it reach Amazon.',
}

/** Why SES cannot be used, with what to do. */
export function problemOf(reason: string, about: Advice): TransportProblem {
  return { reason, advice: advice[about] }
}
