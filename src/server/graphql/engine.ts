import type { ServerResponse } from 'node:http'
import { type DocumentNode, type ExecutionResult, GraphQLError, getOperationAST } from 'graphql'
import { createYoga, isAsyncIterable, type Plugin } from 'graphql-yoga'
import { recent } from '../../kit/cache.ts'
import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { answerHeaders, setHeaders } from '../replies.ts'
import { checkAccess } from './access.ts'
import { type Call, explain, explained } from './errors.ts'
import { checkDocument, checkLength, checkOperation, limits } from './limits.ts'
import { schema } from './schema.ts'
import { checkValues } from './values.ts'

// Measured: a parsed document takes up to 170 bytes per character of its text.
const documentBounds = {
  max: 500,
  weight: { max: 32_000_000, weigh: (_document: DocumentNode, text: string) => 170 * text.length },
}
const nothingCached = { get: () => undefined, set: () => {} }

/** A call over HTTP: its body, where it has one, and what it is answered on. */
export interface HttpCall extends Ctx {
  body?: Record<string, unknown>
  res: ServerResponse
}

/** What runs operations, for HTTP and for sockets alike. */
export type Engine = ReturnType<typeof createEngine>

/**
 * Yoga with our rules: documents are parsed and validated once and kept, limits hold before anything runs, errors are
 * explained. Its context is the Ctx it is given.
 */
export function createEngine() {
  return createYoga<HttpCall, object>({
    schema,
    graphqlEndpoint: '/graphql',
    graphiql: false,
    landingPage: false,
    logging: false,
    maskedErrors: false,
    multipart: false,
    batching: false,
    cors: false,
    healthCheckEndpoint: '/graphql/health',
    // The body is read before, by the reader of all entry points.
    maxRequestBodySize: false,
    // Failures are not worth caching: whoever sends them sends others next.
    parserAndValidationCache: { documentCache: recent(documentBounds), errorCache: nothingCached },
    plugins: [bounded(), presented()],
  })
}

function bounded(): Plugin<Ctx> {
  return {
    onParse({ parseFn, setParseFn }) {
      setParseFn((source, options) => {
        checkLength(String(source.body ?? source))
        const document = parseFn(source, { ...options, maxTokens: limits.tokens })
        checkDocument(document)
        return document
      })
    },
    onExecute({ args, setResultAndStopExecution }) {
      const admitted = admit(args)
      if (admitted instanceof Error) return setResultAndStopExecution(refused(admitted))
      return {
        onExecuteDone: ({ result, setResult }) =>
          void (isAsyncIterable(result) || setResult({ ...result, extensions: { ...result.extensions, ...admitted } })),
      }
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const admitted = admit(args)
      if (admitted instanceof Error) return setResultAndStopExecution(refused(admitted))
      const call = args.contextValue as Ctx
      return { onSubscribeResult: ({ result, setResult }) => void (isAsyncIterable(result) && setResult(guarded(result, call))) }
    },
  }
}

// The first look at a request that came over HTTP, whose body was read already, and the last at its result.
function presented(): Plugin<object, HttpCall> {
  return {
    onRequestParse({ serverContext: { body }, setRequestParser }) {
      if (body) setRequestParser(() => body)
    },
    onResultProcess({ result, setResult, serverContext }) {
      setHeaders(serverContext.res, answerHeaders(serverContext.answer))
      if (!isAsyncIterable(result) && !Array.isArray(result)) setResult(explained(result as ExecutionResult, serverContext))
    },
  }
}

interface Operation {
  document: Parameters<typeof checkOperation>[1]
  operationName?: string | null
  variableValues?: Record<string, unknown> | null
  contextValue?: unknown
}

/** Whether an operation may run for this caller: what it costs, or the reason why not. */
function admit({ document, operationName, variableValues, contextValue }: Operation): { cost: object } | object | Error {
  const ctx = contextValue as Ctx
  const operation = getOperationAST(document, operationName)
  if (!operation) return {}
  try {
    checkAccess(schema, document, operation, ctx)
    checkValues(document, operation, variableValues ?? {})
    return { cost: checkOperation(schema, document, operation, variableValues ?? {}) }
  } catch (error) {
    if (error instanceof Failure || error instanceof GraphQLError) return error
    throw error
  }
}

function refused(reason: Error): ExecutionResult {
  return { errors: [reason instanceof GraphQLError ? reason : new GraphQLError(reason.message, { originalError: reason })] }
}

/**
 * A stream whose failure is its last result, so that the subscriber reads why it ended and from where to go on. Not a
 * generator: a generator that waits for its source cannot be closed until the source speaks.
 */
function guarded(source: AsyncIterable<unknown>, call: Call): AsyncIterableIterator<ExecutionResult> {
  const results = source[Symbol.asyncIterator]() as AsyncIterator<ExecutionResult>
  const over = { done: true, value: undefined } as const
  let ended = false
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      if (ended) return over
      try {
        const { done, value } = await results.next()
        return done ? over : { done: false, value: explained(value, call) }
      } catch (error) {
        ended = true
        return { done: false, value: { errors: [explain(error, call)] } }
      }
    },
    async return() {
      ended = true
      await results.return?.()
      return over
    },
  }
}
