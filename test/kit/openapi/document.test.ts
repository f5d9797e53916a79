import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { errorCatalogue } from '../../../src/kit/errors.ts'
import { read } from '../../../src/kit/problems.ts'
import { Flag } from '../../../src/kit/shapes.ts'
import { routes } from '../../../src/server/routes.ts'
import { document } from '../../help/contract.ts'
import { sources } from '../../help/sources.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is read like any JSON.
type Json = any

const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
  Object.entries<Json>(item).map(([method, operation]) => ({ path, method, operation })),
)

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  test('has nothing that a linter would warn of, such as an example that breaks its schema', async () => {
    // `/domains/project/verify` matches two documented paths, but no project has that id.
    const config = await createConfig({ extends: ['recommended'], rules: { 'no-ambiguous-paths': 'off' } })
    const problems = await lintFromString({ source: JSON.stringify(document), config, absoluteRef: 'openapi.json' })
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
  })

  test('describes every route once, under the name of its operation', () => {
    expect(operations).toHaveLength(routes.length)
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('says that lists are required where a call without them is refused', () => {
    const { SendDraft, MembersDraft } = document.components.schemas as Json
    expect(SendDraft.required).toEqual(['to'])
    expect(MembersDraft.required).toEqual(['emails'])
    expect(document.paths['/v1/send'].post.requestBody.required).toBe(true)
  })

  test('says which words a query takes for yes and no', () => {
    const { schema } = document.paths['/contacts'].get.parameters.find(({ name }: Json) => name === 'subscribed')
    const isTaken = (word: string) => new RegExp(schema.pattern).test(word)
    expect(['true', 'FALSE', 'Yes', '0', 'off', 'Disabled'].filter(isTaken)).toHaveLength(6)
    expect(['', 'maybe', 'truee', '2'].filter(isTaken)).toEqual([])
    expect(Flag.safeParse('DISABLED')).toMatchObject({ data: false })
    expect(Flag.safeParse('maybe').success).toBe(false)
  })

  test('refers to components that exist', () => {
    const named = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => String(name))
    expect(named.length).toBeGreaterThan(20)
    for (const name of named) expect(document.components.schemas).toHaveProperty(name)
  })

  test.each(operations)('$method $path has a response, errors and examples', ({ operation }) => {
    const [status, answer] = Object.entries<Json>(operation.responses).find(([code]) => code.startsWith('2')) ?? []
    if (status !== '204') expect(Object.values<Json>(answer.content)[0].example).toBeDefined()
    const asked = operation.requestBody?.content['application/json']
    if (asked) expect(Object.keys(asked.example).length).toBeGreaterThan(0)
    const inPath = operation.parameters.filter((one: Json) => one.in === 'path')
    for (const { name, example } of inPath) expect(example, name).toMatch(/^(?!string$)./)
    const errors = Object.entries<Json>(operation.responses).filter(([code]) => code >= '400')
    expect(errors.length).toBeGreaterThan(1)
    for (const [, error] of errors) expect(Object.keys(error.content['application/json'].examples).length).toBeGreaterThan(0)
  })

  test('lists only codes that something fails with', () => {
    const texts = sources('src', /\.ts$/).filter(({ path }) => path !== 'src/kit/errors.ts')
    const unused = Object.keys(errorCatalogue).filter((code) => !texts.some(({ text }) => text.includes(`'${code}'`)))
    expect(unused).toEqual([])
  })

  test('says that a file is sent as a form', () => {
    const { requestBody } = document.paths['/uploads/image'].post
    expect(Object.keys(requestBody.content)).toEqual(['multipart/form-data'])
  })

  test.each(
    routes
      .filter(({ method, notes }) => method !== 'GET' && method !== 'DELETE' && !notes.maxFileBytes && !notes.raw)
      .map((route) => ({ route, at: `${route.method} ${route.path}` })),
  )('$at: its example request is accepted', ({ route }) => {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    const example = document.paths[path][route.method.toLowerCase()].requestBody?.content['application/json'].example ?? {}
    expect(() => read(route.input, { ...example, id: 'x', userId: 'x', stepId: 'x' })).not.toThrow()
  })
})
