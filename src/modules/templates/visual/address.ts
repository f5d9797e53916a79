import { escapeHtml } from '../../../kit/html/escape.ts'

// What Liquid takes for the name of a variable, with the fields of what it holds.
const path = String.raw`[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_][\p{L}\p{N}_-]*)*`
const wholePath = new RegExp(`^${path}$`, 'u')
const outputs = new RegExp(String.raw`\{\{\s{0,9}(${path})\s{0,9}\}\}`, 'gu')
// Scheme and host are written out, so that no value leads elsewhere.
const origin = /^https?:\/\/[^\s/?#{}]+(?=[/?#])/i
// Pages of the contact, whose names data cannot have.
const ownPage = /^\{\{\s{0,9}(unsubscribeUrl|subscribeUrl|manageUrl)\s{0,9}\}\}$/

/** Whether a text is the name of a variable. */
export function isVariablePath(text: string): boolean {
  return wholePath.test(text)
}

/** An address with a word in the place of each variable that it may print there: what is left is checked like any other address. */
export function plainAddress(href: string): string {
  return ownPage.test(href) ? 'https://own.page/' : withVariables(href, { text: (part) => part, variable: () => 'x' })
}

/**
 * An address as the value of an attribute of HTML, with Liquid where it prints variables: their values are encoded, so that they stay in
 * their place.
 */
export function addressTemplate(href: string): string {
  const [, page] = ownPage.exec(href) ?? []
  if (page) return `{{ ${page} }}`
  return withVariables(href, { text: withoutBraces, variable: (name) => `{{ ${name} | url_encode | replace: '+', '%20' }}` })
}

/** An address as the value of an attribute of HTML. Braces have no meaning in it, and would be Liquid here. */
export function withoutBraces(text: string): string {
  return escapeHtml(text.replaceAll('{', '%7B').replaceAll('}', '%7D'))
}

// A variable may be a whole segment of the path, or a whole value of the query.
function withVariables(href: string, to: { text(part: string): string; variable(name: string): string }): string {
  const from = origin.exec(href)?.[0].length
  if (from === undefined) return to.text(href)
  let made = ''
  let done = 0
  for (const { 0: output, 1: name = '', index } of href.matchAll(outputs)) {
    const end = index + output.length
    if (index <= from || !'/='.includes(href.charAt(index - 1)) || !'/?#&'.includes(href.charAt(end))) continue
    made += to.text(href.slice(done, index)) + to.variable(name)
    done = end
  }
  return made + to.text(href.slice(done))
}
