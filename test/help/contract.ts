import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describeRoutes } from '../../src/kit/openapi/document.ts'
import { tags } from '../../src/server/rest/reference.ts'
import { routes } from '../../src/server/routes.ts'

/** The OpenAPI document as its readers see it. */
// biome-ignore lint/suspicious/noExplicitAny: the document is read like any JSON.
export const document: any = describeRoutes(routes, { url: 'https://mail.acme.test', tags })

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addFormat('idn-email', true)
ajv.addSchema(document, 'openapi')
const validators = new Map<string, ValidateFunction>()

const paths = Object.keys(document.paths)
  // Paths without parameters first: `/contacts/fields` is not a contact.
  .toSorted((one, other) => one.split('{').length - other.split('{').length)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`) }))

interface Answered {
  status: number
  body: unknown
  isJson: boolean
}

/** Throws where an answer is not what the OpenAPI document says: its status, its error code, its body. */
export function checkAnswer(method: string, pathname: string, { status, body, isJson }: Answered): void {
  const path = paths.find(({ pattern, path: each }) => pattern.test(pathname) && document.paths[each][method.toLowerCase()])?.path
  if (path === undefined || status === 405) return
  const answer = document.paths[path][method.toLowerCase()].responses[status]
  const at = `${method} ${path} answered ${status}`
  if (!answer) throw new Error(`${at}, which the OpenAPI document does not say`)
  const content = answer.content?.['application/json']
  if (answer.content && !content) return
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

function validatorOf(pointer: string): ValidateFunction {
  const found = validators.get(pointer) ?? ajv.compile({ $ref: `openapi${pointer}` })
  validators.set(pointer, found)
  return found
}

function escaped(path: string): string {
  return encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('%40', '@')
}
