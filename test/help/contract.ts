import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { documentOf } from '../../src/server/rest/reference.ts'

/** The OpenAPI document as its readers see it. */
// biome-ignore lint/suspicious/noExplicitAny: the document is read like any JSON.
export const document: any = documentOf({ publicUrl: 'https://mail.acme.test' })

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addFormat('idn-email', true)
ajv.addSchema(document, 'openapi')
const validators = new Map<string, ValidateFunction>()

const paths = Object.keys(document.paths)
  // Paths without parameters first: `/contacts/fields` is not a contact; then those with a word at the end, as `/events/contact/usage`.
  .toSorted((one, other) => one.split('{').length - other.split('{').length || Number(one.endsWith('}')) - Number(other.endsWith('}')))
  .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`) }))

interface Answered {
  status: number
  body: unknown
  headers: Headers
  isJson: boolean
  /** The header Content-Type. */
  type: string | null
}

/** Throws where an answer is not what the OpenAPI document says: its status, its error code, its headers, its body. */
export function checkAnswer(method: string, pathname: string, { status, body, headers, isJson, type }: Answered): void {
  const path = paths.find(({ pattern, path: each }) => pattern.test(pathname) && document.paths[each][method.toLowerCase()])?.path
  if (path === undefined || status === 405) return
  const answer = document.paths[path][method.toLowerCase()].responses[status]
  const at = `${method} ${path} answered ${status}`
  if (!answer) throw new Error(`${at}, which the OpenAPI document does not say`)
  checkHeaders(at, answer.headers, headers)
  const content = answer.content?.['application/json']
  const isOther = !isJson && type !== null && answer.content?.[type.split(';')[0] ?? '']
  if ((answer.content && !content) || isOther) return
  if (!isJson || !content) {
    if (content || (body !== '' && status < 300)) throw new Error(`${at} with another body than the OpenAPI document says`)
    return
  }
  const { code } = (body as { error?: { code?: string } }).error ?? {}
  if (status >= 400 && !(code && content.examples[code])) throw new Error(`${at} ${code}, which the OpenAPI document does not say`)
  const validate = validatorOf(`#/paths/${escaped(path)}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`)
  if (!validate(body))
    throw new Error(`${at} with a body that breaks its schema: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(body)}`)
}

/** Throws where an answer shows what is stored encrypted, or the hash of a password, whoever asks for whatever. */
export function checkNothingStoredIsShown(at: string, text: string): void {
  const found = /sealed:|\$argon2/.exec(text)
  if (found)
    throw new Error(`${at} shows what is stored in place of a secret: ${text.slice(Math.max(0, found.index - 40), found.index + 8)}`)
}

// Those that say something of the answer. Only text comes over HTTP.
function checkHeaders(at: string, declared: Record<string, object>, headers: Headers): void {
  for (const [name, { required, schema }] of Object.entries<{ required?: true; schema: { type?: string } }>(document.components.headers)) {
    const value = headers.get(name)
    if (value === null && required && declared[name]) throw new Error(`${at} without the header ${name}`)
    if (value === null) continue
    if (!declared[name]) throw new Error(`${at} with the header ${name}, which the OpenAPI document does not say`)
    const validate = validatorOf(`#/components/headers/${name}/schema`)
    if (!validate(schema.type === 'integer' ? Number(value) : value)) throw new Error(`${at} with the header ${name}: ${value}`)
  }
}

/** Whether a value matches a schema of the document, by its name. */
export function isValid(name: string, value: unknown): boolean {
  return validatorOf(`#/components/schemas/${name}`)(value)
}

function validatorOf(pointer: string): ValidateFunction {
  const found = validators.get(pointer) ?? ajv.compile({ $ref: `openapi${pointer}` })
  validators.set(pointer, found)
  return found
}

function escaped(path: string): string {
  return encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('%40', '@')
}
