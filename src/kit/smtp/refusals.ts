/** The step of an SMTP session that a server answers; `content` is the answer after the final dot. */
export type Phase = 'connect' | 'auth' | 'mail' | 'rcpt' | 'data' | 'content'

/** An answer of a mail server (RFC 5321, 4.2), with its enhanced status code if it has one (RFC 3463). */
export interface Answer {
  phase: Phase
  code: number
  /** Such as "5.1.1"; null without one. */
  enhanced: string | null
  text: string
}

/**
 * What an answer means for an email:
 * - `unavailable`: the server does not let us send anything; keep the email
 * - `deferred`: a temporary failure; try again
 * - `unknown-address`: there is no such mailbox (a hard bounce)
 * - `too-large`, `failed`: refused for good, which says nothing about the address
 */
export type Meaning = 'accepted' | 'unavailable' | 'deferred' | 'unknown-address' | 'too-large' | 'failed'

/** Splits a reply, which may have several lines, into codes and text on one line without control characters. */
export function parseAnswer(phase: Phase, reply: string): Answer {
  const code = Number(/^\d{3}/.exec(reply)?.[0] ?? 0)
  const lines = reply
    .slice(0, maxRead)
    .split(/\r?\n/)
    .map((line) => line.replace(/^\d{3}(?:[ -]|$)/, ''))
  const enhanced = enhancedCode.exec(lines[0] ?? '')?.[1] ?? qmailCode.exec(lines.join(' '))?.[1] ?? null
  const text = lines.map((line) => line.replace(enhancedCode, '')).join(' ')
  return { phase, code, enhanced, text: text.replace(/[\s\p{Cc}]+/gu, ' ').trim() }
}

/**
 * The answer of a mail server that a report names by its status (RFC 3463) and its diagnostic text, such as "smtp; 550 5.1.1 User
 * unknown" (RFC 3464, 2.3.6); either may be absent. It is about one recipient.
 */
export function parseReported(status: string | undefined, diagnostic: string | undefined): Answer {
  const [enhanced = null] = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(status ?? '') ?? []
  const said = (diagnostic ?? '').replace(/^\s*[\w-]+\s*;\s*/, '')
  const answer = parseAnswer('rcpt', said)
  const code = answer.code || Number(`${(enhanced ?? answer.enhanced)?.[0] ?? 5}50`)
  return { ...answer, code, enhanced: answer.enhanced ?? enhanced }
}

/** An answer as a sentence for the sender of the email, at most 500 characters. */
export function sentenceOf({ code, enhanced, text }: Answer): string {
  const codes = enhanced !== null && !text.includes(`#${enhanced}`) ? `${code} ${enhanced}` : `${code}`
  return `${codes} ${text}`.trim().slice(0, 500).toWellFormed()
}

/** What an answer means, by the first row of the table that fits; `recipients`: how many addresses the message has. */
export function meaningOf(answer: Answer, recipients: number): Meaning {
  const text = withoutAddresses(answer.text)
  const personal = isPersonal(answer, recipients)
  const row = rows.find(
    ({ means, phases, codes, enhanced, texts }) =>
      (personal || means !== 'unknown-address') &&
      (!phases || phases.includes(answer.phase)) &&
      (!codes || codes.test(String(answer.code))) &&
      (!enhanced || enhanced.includes(answer.enhanced)) &&
      (!texts || texts.some((known) => known.test(text))),
  )
  return row?.means ?? 'failed'
}

/**
 * Whether an answer, permanent or not, says that the mailbox cannot take any email at present: it is full (x.2.2 of RFC 3463, 3.3)
 * or out of service (x.2.0, x.2.1). Size, content, policy and volume say nothing about a mailbox. `recipients`: how many addresses
 * the message has.
 */
export function isMailboxError(answer: Answer, recipients: number): boolean {
  if (!isPersonal(answer, recipients)) return false
  const [, detail] = /^[45]\.2\.([012])$/.exec(answer.enhanced ?? '') ?? []
  const text = withoutAddresses(answer.text)
  return detail === '2' || (detail !== undefined && ![...aboutVolume, ...aboutMessage].some((known) => known.test(text)))
}

// What is said about a message to several addresses says nothing about one of them.
function isPersonal({ phase }: Answer, recipients: number): boolean {
  return phase === 'rcpt' || ((phase === 'data' || phase === 'content') && recipients === 1)
}

/** Two answers are equal when this is: the codes, and the text without addresses, host names, ids and numbers. */
export function kindOf({ code, enhanced, text }: Answer): string {
  const words = withoutAddresses(text)
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/[\w-]+(?:\.[\w-]+)+/g, ' ')
    .replace(/\S*\d\S*/g, ' ')
    .replace(/[^\p{L}]+/gu, ' ')
  return `${code} ${enhanced ?? ''} ${words.trim()}`.slice(0, 200)
}

interface Row {
  means: Meaning
  phases?: Phase[]
  codes?: RegExp
  enhanced?: (string | null)[]
  texts?: RegExp[]
}

// The server asks for a login, refuses it, or demands encryption first (RFC 4954, 6).
const wantsLogin = /^53[0458]$/

const aboutSender = [
  // Postfix: "Sender address rejected: User unknown in local recipient table"; Sendmail: "Domain of sender address … does not exist".
  /\bsender(?:'s)? (?:envelope |e-?mail )?(?:address|domain|mailbox|account|verify|verification|callout)\b/,
  /\benvelope sender\b|\bmail from\b|\breturn[- ]path\b/,
]
const aboutRelaying = [
  // Exim: "relay not permitted"; Postfix: "Relay access denied"; Sendmail: "Relaying denied"; Exchange: "Unable to relay".
  /\brelay(?:ing)? (?:access )?(?:is |was )?(?:denied|not (?:permitted|allowed)|prohibited)/,
  /\bunable to relay\b|\b(?:permitted|allowed|authori[sz]ed) to relay\b|\bdo(?:es)? not relay\b|\bnot configured to relay\b/,
  // qmail: "sorry, that domain isn't in my list of allowed rcpthosts".
  /\ballowed rcpthosts\b/,
]
const aboutVolume = [
  // Gmail sends 5.2.1 for "The user … is receiving mail at a rate that prevents additional messages from being delivered".
  /\bat a rate\b|\btoo quickly\b/,
  /\b(?:too many|excessive|high (?:rate|number) of)\b.{0,40}\b(?:unknown|invalid|non-?existent)\b/,
]
const aboutMessage = [
  // Exchange: "5.2.0 … content conversion", "message size exceeds"; others: "5.2.0 rejected by policy", "spam content".
  /\bcontent\b|\bpolicy\b|\bspam\b|\bvirus\b|\bblock(?:ed|list)\b/,
  /\b(?:message|e-?mail|mail)(?:'s)? (?:is |was )?(?:too (?:large|big|long)|size|length)\b/,
]
const unknownAddress = [
  // Sendmail, Postfix, Exchange: "User unknown"; Barracuda, AT&T: "Addressee unknown"; mail.ru: "user not found".
  /\b(?:user|recipient|mailbox|mail ?box|account|addressee|(?:e-?mail|recipient|destination) address) (?:is |was )?(?:unknown|not known|not found)\b/,
  /\bunknown (?:user|recipient|mailbox|account|addressee|local[- ]?part|e-?mail address|or illegal alias)\b/,
  // Exim as cPanel configures it: "No Such User Here".
  /\bno such (?:user|recipient|mailbox|account|person|address|e-?mail address)\b/,
  // Gmail: "The email account that you tried to reach does not exist"; Dovecot: "User doesn't exist".
  /\b(?:user|recipient|mailbox|account|e-?mail address)\b[^.;:]{0,60}\b(?:does not|doesn'?t|not) exist\b/,
  // Yahoo: "This user doesn't have a yahoo.com account", "This mailbox is disabled".
  /\buser doesn'?t have an? \S+ account\b/,
  /\bmailbox is (?:disabled|inactive)\b/,
  // Mimecast: "Invalid Recipient"; mail.ru: "invalid mailbox".
  /\b(?:invalid|non-?existent) (?:user|recipient|mailbox)\b(?! (?:rate|count))/,
  // qmail and vpopmail: "sorry, no mailbox here by that name".
  /\bno mailbox (?:here )?by that name\b/,
  /\bnot a (?:known|valid) (?:user|recipient|mailbox)\b/,
  // Exchange: "RESOLVER.ADR.RecipNotFound; not found".
  /\brecip(?:ient)?notfound\b/,
  /^address (?:is )?unknown\b/,
]

// The order matters: what an answer says about the sender, relaying or volume excuses the address, whatever its code.
const rows: Row[] = [
  { means: 'accepted', codes: /^2/ },
  { means: 'unavailable', phases: ['connect', 'auth'] },
  { means: 'unavailable', phases: ['mail'], codes: wantsLogin },
  // 421, 450, 451, 452, 454, and any code we do not know (RFC 5321, 4.3.2: go by the first digit).
  { means: 'deferred', codes: /^[^25]/ },
  { means: 'deferred', codes: wantsLogin },
  { means: 'too-large', enhanced: ['5.3.4', '5.2.3'] },
  { means: 'too-large', phases: ['mail'], codes: /^552$/, enhanced: [null] },
  { means: 'failed', phases: ['mail'] },
  // These blame the sender, or nobody.
  { means: 'failed', enhanced: ['5.1.0', '5.1.7', '5.1.8'] },
  { means: 'failed', texts: [...aboutSender, ...aboutRelaying, ...aboutVolume] },
  // No mailbox, no such domain, bad syntax, moved, a domain that receives no email (RFC 7505), a disabled mailbox.
  { means: 'unknown-address', enhanced: ['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'] },
  { means: 'unknown-address', texts: unknownAddress },
  { means: 'too-large', phases: ['data', 'content'], codes: /^552$/, enhanced: [null] },
  { means: 'failed' },
]

// The rest of a longer reply is of no use, and could cost time.
const maxRead = 2_000
// "550 5.1.1 text"; Cisco: "550 #5.1.0 text"; Barracuda, behind the word of a filter: "550 cuda_nsu 5.1.1 text".
const enhancedCode = /^(?:\w+ )?#?([245]\.\d{1,3}\.\d{1,3})(?!\.?\d)[\s:]*/
// qmail and its relatives write it at the end: "(#5.1.1)", "(#5.1.1 - chkuser)".
const qmailCode = /\(#([245]\.\d{1,3}\.\d{1,3})\b/

// An address may consist of the words that are looked for.
function withoutAddresses(text: string): string {
  return text
    .toLowerCase()
    .replace(/<[^>]*>/g, ' ')
    .replace(/[^\s@<>()"']+@[^\s@<>()"']+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
