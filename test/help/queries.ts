import pg from 'pg'

/** How many statements about contacts, emails, events and templates Postgres was sent meanwhile. */
export async function queriesOf<Reply>(work: () => Promise<Reply>): Promise<{ reply: Reply; queries: number }> {
  const original = pg.Client.prototype.query
  let queries = 0
  pg.Client.prototype.query = function (this: unknown, ...given: unknown[]) {
    const [first] = given as [{ text?: string } | string]
    const text = typeof first === 'string' ? first : (first?.text ?? '')
    if (/contacts|events|emails|email_contents|templates/.test(text)) queries++
    return (original as (...args: unknown[]) => unknown).apply(this, given)
  } as typeof original
  try {
    return { reply: await work(), queries }
  } finally {
    pg.Client.prototype.query = original
  }
}
