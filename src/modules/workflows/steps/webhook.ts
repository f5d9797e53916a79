import { z } from 'zod'
import { recordOf } from '../../../kit/bounded.ts'
import { checkTemplate } from '../../../kit/liquid.ts'
import { Text } from '../../../kit/shapes.ts'
import { taggedCharacters } from '../../../kit/template-tags.ts'
import { parseUrl } from '../../../kit/urls.ts'
import { dueCallsTopic } from '../wake.ts'
import { kind, plain } from './kind.ts'
import { insertCall } from './sql.ts'

/** The exit of a webhook that could not be delivered. */
export const errorExit = 'error'

const maxHeaders = 50
// Characters in tags, which take up to about 15 ms to parse.
const maxTagged = 5_000
// RFC 9110, 5.6.2.
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
// Those that frame the request, and those of the signature (standardwebhooks.com).
const ownHeaders = /^(host|connection|content-length|transfer-encoding|te|trailer|upgrade|keep-alive|expect|proxy-.*|webhook-.*)$/i

const maxUrl = 2_048

const Url = Text.max(maxUrl).superRefine((url, ctx) => {
  // One that is longer is refused already, and what looks for tags takes a time that grows with the square of the length.
  const message = url.length > maxUrl ? undefined : whyNoUrl(url)
  if (message) ctx.addIssue({ code: 'custom', message, params: { code: 'invalid_url' } })
})

// A variable may stand anywhere: what is left is checked when the step runs.
function whyNoUrl(text: string): string | undefined {
  if (/\s/.test(text.replaceAll(/\{\{.*?\}\}|\{%.*?%\}/gs, ''))) return 'must not contain spaces'
  if (text.startsWith('{{') || text.startsWith('{%')) return undefined
  if (!/^https?:\/\//i.test(text)) return 'must begin with https:// or http://'
  const authority = text.slice(text.indexOf('//') + 2).split(/[/?#]/, 1)[0] ?? ''
  if (authority.includes('@')) return 'must not contain a user name or password'
  if (/[{%]/.test(authority)) return undefined
  return parseUrl(text.replaceAll(/\{\{.*?\}\}|\{%.*?%\}/gs, 'x')) ? undefined : 'is not a URL'
}

const Headers = recordOf(z.string(), Text.max(998), { max: maxHeaders }).superRefine((headers, ctx) => {
  const refuse = (path: string[], message: string) => ctx.addIssue({ code: 'custom', path, message, params: { code: 'invalid_header' } })
  for (const [name, value] of Object.entries(headers)) {
    if (!headerName.test(name)) refuse([name], 'is not the name of a header')
    else if (ownHeaders.test(name)) refuse([name], 'is a header that the request has by itself')
    if (/[\r\n]/.test(value)) refuse([name], 'must not contain line breaks')
  }
})

const config = z
  .object({
    url: Url.optional(),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
    headers: Headers.optional(),
    body: z.unknown().optional(),
  })
  .superRefine((request, ctx) => {
    const texts = [...textsIn(request, [])].filter(({ text }) => taggedCharacters(text) > 0)
    const refuse = (path: string[], message: string) =>
      ctx.addIssue({ code: 'custom', path, message, params: { code: 'invalid_template' } })
    if (texts.reduce((sum, { text }) => sum + taggedCharacters(text), 0) > maxTagged)
      return refuse([], `must have at most ${maxTagged} characters in tags and outputs`)
    for (const { text, path } of texts) {
      const problem = checkTemplate(text)
      if (problem) refuse(path, `is not a valid template: ${problem.message} (line ${problem.line}, column ${problem.column})`)
    }
  })

/** What a webhook is to call. */
export type WebhookConfig = z.output<typeof config>

function* textsIn(value: unknown, path: string[]): Generator<{ text: string; path: string[] }> {
  if (typeof value === 'string') yield { text: value, path }
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) yield* textsIn(inner, [...path, key])
}

/** Calls a URL with the contact and the event, or with a body of its own. */
export const webhook = kind({
  label: 'Webhook',
  meaning: 'Calls a URL.',
  parts:
    '`url`, `method` (default POST), `headers`, `body` (any JSON), with Liquid in every text; without a `body` the contact, the workflow, the execution and the event are sent (nothing with GET). In the URL values are percent-encoded, unless it begins with one or they are printed with `| raw`. Signed as Standard Webhooks. Network errors, 429 and 5xx are tried again 5 times, after 5 s, 1 min, 5 min, 30 min and 2 h; then the branch `error` is taken, or the execution fails. Any other status completes the step, with `success` in its output. A receiver that was slow the last time is tried one webhook at a time: `waiting` in the output says so',
  output:
    '`statusCode`, `success`, `response`, `truncated`, `headers`, `durationMs`, `attempts` (each `at`, `durationMs`, `statusCode`, `error`); `waiting` while its receiver is slow, and `error` when it was given up',
  config,
  exits: () => [plain, errorExit],
  nameOfExit: (exit) => (exit === errorExit ? 'When it could not be called' : 'When it was called'),
  exitsText: 'none, and `error`',
  missing: ({ url }) => (url ? null : '"url"'),
  // Another worker calls it, in its own time: a receiver may take long, and this one has others to advance.
  run:
    async ({ ctx: { world, projectId }, executionId }) =>
    async (tx) => {
      await tx.run(insertCall, [projectId, executionId, world.clock.aheadMs])
      tx.afterCommit(() => world.notices.publish(dueCallsTopic, projectId))
      return { kind: 'call' }
    },
})
