import { analyse } from 'scslre'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { all, found, parsed } from './help/syntax.ts'

// How long a regular expression takes, as far as its text tells: no text may make it take more than in proportion to its length.

/** Those that take the square of the length of a text, which something bounds: what. */
const bounded: Record<string, string> = {
  'src/kit/template-problems.ts /, line:\\d+.*$/s': 'the rest is matched whatever it is: no digit is tried twice',
  'src/kit/openapi/example.ts /^(\\w*?([A-Z]?[a-z]+))Id$/': 'the names of fields of our shapes',
  'src/kit/smtp/refusals.ts /[\\w-]+(?:\\.[\\w-]+)+/g': 'the first 2,000 characters of a reply',
  'src/kit/smtp/refusals.ts /\\S*\\d\\S*/g': 'the first 2,000 characters of a reply',
  'src/kit/smtp/refusals.ts /<[^>]*>/g': 'the first 2,000 characters of a reply',
  'src/kit/smtp/refusals.ts /[^\\s@<>()"\']+@[^\\s@<>()"\']+/g': 'the first 2,000 characters of a reply',
  'src/modules/projects/members/invitations.ts /[\\s.:\\u3002]+$/u': 'the first characters of a name',
  'src/modules/segments/members/log.ts /^-+|-+$/g': 'a name of 100 characters, without two hyphens in a row',
  'src/modules/workflows/steps/webhook.ts /\\{\\{.*?\\}\\}|\\{%.*?%\\}/gs': 'the address of a webhook, 2,000 characters',
}

/** Those that are put together: of what, so that nothing of a caller is part of them. */
const made: Record<string, string> = {
  'src/kit/config/email.ts': 'the names of transports',
  'src/kit/shapes.ts': 'a set of characters',
  'src/kit/smtp/transaction.ts': 'the name of an extension',
  'src/modules/emails/parsing/report-part.ts': 'the names of two header fields',
  'src/modules/filters/operators/arguments.ts': 'a pattern that is in the OpenAPI document as well',
  'src/modules/projects/shapes.ts': 'a set of characters',
  'src/modules/templates/visual/address.ts': 'the pattern of a path of variables',
}

const literals = parsed.flatMap(({ path, node }) =>
  all(node, ts.isRegularExpressionLiteral).map((part) => ({ path, text: part.getText() })),
)

function slow(text: string): { text: string; isExponential: boolean }[] {
  const { source, flags } = literalOf(text)
  const { reports } = analyse({ source, flags }, { reportTypes: { Move: true } })
  return reports.map(({ exponential }) => ({ text, isExponential: exponential }))
}

function literalOf(text: string): { source: string; flags: string } {
  const end = text.lastIndexOf('/')
  return { source: text.slice(1, end), flags: text.slice(end + 1) }
}

test('no regular expression takes exponential time: of two repetitions, one inside or behind the other, only one may match a character', () => {
  expect(literals.length).toBeGreaterThan(250)
  expect(literals.filter(({ text }) => slow(text).some(({ isExponential }) => isExponential))).toEqual([])
})

test('a regular expression takes time in proportion to its text, or it is known what bounds the text: repeat `{1,100}` times instead of `+`, begin with `^`, or say it above', () => {
  const long = [...new Set(literals.filter(({ text }) => slow(text).length > 0).map(({ path, text }) => `${path} ${text}`))]
  expect(long.filter((one) => !(one in bounded))).toEqual([])
  expect(Object.keys(bounded).filter((one) => !long.includes(one))).toEqual([])
})

test('a regular expression is made of text that is written here: nobody who calls writes one', () => {
  const isMade = (node: ts.Node) =>
    (ts.isNewExpression(node) || ts.isCallExpression(node)) && /^(globalThis\.)?RegExp$/.test(node.expression.getText())
  const paths = new Set(found(parsed, isMade).map((one) => one.split(': ')[0] ?? ''))
  expect([...paths].sort()).toEqual(Object.keys(made).sort())
})

// Alternatives that match the same, such as (a|a)*, are not found.
test('what takes exponential time, and the square of the length, is found', () => {
  const isExponential = (text: string) => slow(text).some((report) => report.isExponential)
  expect(['/^(a+)+$/', '/^(?:\\w+\\s?)*$/', '/^(?:\\w+\\.)+$/'].map(isExponential)).toEqual([true, true, false])
  expect(['/\\s+$/', '/^\\d+\\d+$/', '/^\\w+$/'].map((text) => slow(text).length)).toEqual([1, 1, 0])
})
