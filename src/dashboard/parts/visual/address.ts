/** What is said of what is no address. */
export const notAnAddress = 'Begin with https://, http:// or mailto:'
/** How variables stand in addresses. */
export const addressHint = 'A variable can be a part of the path or a value, such as https://example.com/orders/{{ id }}'

const origin = /^https?:\/\/[^\s/?#{}]+[/?#]/i
const variables = /(?<=[/=])\{\{\s*[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_][\p{L}\p{N}_-]*)*\s*\}\}(?=[/?#&]|$)/gu
const ownPage = /^\{\{\s*(unsubscribeUrl|subscribeUrl|manageUrl)\s*\}\}$/

/** Whether a link of a document may lead to a text; the server looks at it again. */
export function isAddress(text: string): boolean {
  if (ownPage.test(text)) return true
  const plain = origin.test(text) ? text.replace(variables, 'x') : text
  return /^(https?:\/\/[^\s/]|mailto:\S)\S*$/i.test(plain) && !plain.includes('{{') && URL.canParse(plain)
}
