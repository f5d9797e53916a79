import pg from 'pg'

const about = /contacts|events|emails|email_contents|templates/

/**
 * The statements of a call that reads: not those of the queue of jobs, which run in the background, nor the counts of requests, nor the
 * session of the caller, which is read again where a call takes more than a second, as on a busy machine.
 */
export const ofReads = /^(?![\s\S]*(\bpgboss\.|\block_timeout\b|\brate_windows\b|\bfrom sessions\b))/

/**
 * The statements of any call, with the jobs that it queues, and nothing that runs in the background: pg-boss looks after each of its queues
 * every five seconds, with the same texts again and again, which takes longer on a busy machine.
 */
export const ofCalls = /^(?:\s*insert into pgboss\.job|(?![\s\S]*(\bpgboss\.|\block_timeout\b|\brate_windows\b|\bfrom sessions\b)))/i

type Matching = Pick<RegExp, 'test'>

/** The statements that Postgres was sent meanwhile and that match: how often each text. */
async function sentDuring<Reply>(work: () => Promise<Reply>, matching: Matching): Promise<{ reply: Reply; sent: Map<string, number> }> {
  const original = pg.Client.prototype.query
  const sent = new Map<string, number>()
  pg.Client.prototype.query = function (this: unknown, ...given: unknown[]) {
    const [first] = given as [{ text?: string } | string]
    const text = typeof first === 'string' ? first : (first?.text ?? '')
    if (matching.test(text)) sent.set(text, (sent.get(text) ?? 0) + 1)
    return (original as (...args: unknown[]) => unknown).apply(this, given)
  } as typeof original
  try {
    return { reply: await work(), sent }
  } finally {
    pg.Client.prototype.query = original
  }
}

const totalOf = (sent: Map<string, number>) => [...sent.values()].reduce((total, count) => total + count, 0)

/** How many statements about contacts, emails, events and templates, or those that match, Postgres was sent meanwhile. */
export async function queriesOf<Reply>(work: () => Promise<Reply>, matching: Matching = about): Promise<{ reply: Reply; queries: number }> {
  const { reply, sent } = await sentDuring(work, matching)
  return { reply, queries: totalOf(sent) }
}

const [minTimes, maxTimes] = [3, 10]

/**
 * The same for a call that may be repeated: of each statement the fewest of three times, so that work in the background does not count. On
 * a busy machine it may fall into all of them, so the call is repeated, up to ten times, until once more changes nothing.
 */
export async function fewestQueriesOf<Reply>(
  work: () => Promise<Reply>,
  matching: Matching = about,
): Promise<{ reply: Reply; queries: number }> {
  const { reply, sent } = await sentDuring(work, matching)
  let fewest = sent
  for (let times = 1; times < maxTimes; times++) {
    const next = (await sentDuring(work, matching)).sent
    const fewer = new Map([...fewest].map(([text, count]) => [text, Math.min(count, next.get(text) ?? 0)]))
    const isSame = totalOf(fewer) === totalOf(fewest)
    fewest = fewer
    if (isSame && times >= minTimes) break
  }
  return { reply, queries: totalOf(fewest) }
}

/** The texts of the statements that Postgres was sent meanwhile, each once. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Set<string>> {
  const texts = new Set<string>()
  await queriesOf(work, { test: (text) => texts.has(text) || texts.add(text).has(text) })
  return texts
}
