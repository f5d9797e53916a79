import { Failure } from '../../kit/errors.ts'
import { whyTooComplex } from '../../kit/json-limits.ts'

/** What is asked for over HTTP, as it was sent: the names and values of the body, or those in the query of the address. */
export type RequestParameters = Record<string, unknown>

const texts = ['query', 'operationName'] as const
const objects = ['variables', 'extensions'] as const

/**
 * The parameters in the query of an address (GraphQL over HTTP, "GET"): `variables` and `extensions` are JSON there. One that is empty is
 * none, and others are ignored. Fails with BAD_REQUEST for one that is there several times, is not JSON, or is beyond `jsonLimits`.
 */
export function readParameters(query: string): RequestParameters {
  const given = new URLSearchParams(query)
  const parameters: RequestParameters = {}
  for (const name of texts) {
    const text = only(given, name)
    if (text) parameters[name] = text
  }
  for (const name of objects) {
    const text = only(given, name)
    if (text) parameters[name] = parseJson(name, text)
  }
  return parameters
}

// Which of several counts differs from reader to reader.
function only(given: URLSearchParams, name: string): string | undefined {
  const [first, ...more] = given.getAll(name)
  if (more.length > 0) throw new Failure('BAD_REQUEST', `The parameter "${name}" is there more than once.`, { suggestion: 'Send it once.' })
  return first
}

function parseJson(name: string, text: string): unknown {
  const problem = whyTooComplex(Buffer.from(text))
  if (problem) throw new Failure('BAD_REQUEST', `The parameter "${name}" ${problem}.`, { suggestion: 'Send less in one request.' })
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const why = error.message.replace(/\s+/g, ' ').slice(0, 200)
    throw new Failure('BAD_REQUEST', `The parameter "${name}" is not valid JSON: ${why}.`, {
      suggestion: 'Send one JSON object, percent-encoded, or send the operation by POST.',
    })
  }
}
