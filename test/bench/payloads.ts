/** The endpoint that is measured; both servers receive the same bytes. */
export type Kind = 'track' | 'send'

/** The number of contacts in the requests; they exist before the first one. */
export const contacts = 20_000
/** The verified domain of the sender. */
export const senderDomain = 'bench.test'

/** The address of the n-th contact. */
export const addressOf = (n: number): string => `user${n % contacts}@example.test`

const paragraph = '<p style="margin:0 0 16px">Thank you for your order. We pack it today and write again when it leaves. — Ünser Team</p>\n'
/** An HTML body of 6 KB. */
export const html = htmlOf(6)

/** An HTML body of some KB. */
export function htmlOf(kilobytes: number): string {
  return `<!doctype html><html><body>${paragraph.repeat(Math.round((kilobytes * 1024 - 60) / Buffer.byteLength(paragraph)))}</body></html>`
}
const htmlJson = JSON.stringify(html)

/** The body of the n-th request; its data differs every time, so that both servers write the contact. */
export function payload(kind: Kind, n: number): string {
  if (kind === 'track') return `{"email":"${addressOf(n)}","event":"order placed","data":{"plan":"pro","orders":${n}}}`
  return `{"to":"${addressOf(n)}","from":"shop@${senderDomain}","subject":"Your order ${n}","body":${htmlJson},"data":{"orders":${n}}}`
}
