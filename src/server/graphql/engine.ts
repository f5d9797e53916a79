import type { ServerResponse } from 'node:http'
import { type DocumentNode, type ExecutionArgs, type ExecutionResult, GraphQLError, getOperationAST, OperationTypeNode } from 'graphql'
import { createYoga, type FetchAPI, isAsyncIterable, type Plugin } from 'graphql-yoga'
import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { isWithin } from '../../kit/json-limits.ts'
import { recent } from '../../kit/recent.ts'
import { isSmall } from '../json.ts'
import { writeJson } from '../large-answers.ts'
import { leftOf } from '../left.ts'
import { requireSameRights } from '../live-callers.ts'
import { answerHeaders, setHeaders } from '../replies.ts'
import { type Allowed, checkCall, isRefused, type Refused } from './checks.ts'
import { toGraphqlError, withGraphqlErrors } from './errors.ts'
import { framed } from './framed.ts'
import { checkDocument, checkLength, limits } from './limits.ts'
import { checkNesting } from './nesting.ts'
import type { RequestParameters } from './parameters.ts'
import { inPiecesFrom } from './pieces.ts'
import { schema } from './schema.ts'
import { subscribe } from './subscribe.ts'
import { maxCostAtOnce, runInTurn } from './turns.ts'
import { validateDocument } from './validation.ts'

// Measured: a parsed document takes up to 170 bytes per character of its text.
const documentBounds = {
  max: 500,
  weight: { max: 32_000_000, weigh: (_document: DocumentNode, text: string) => 170 * text.length },
}
const noCache = { get: () => undefined, set: () => {} }

/** A call over HTTP: its context, what it asks for, and the response it is answered on. */
export interface HttpCall extends Ctx {
  parameters: RequestParameters
  /** Called before a subscription begins; a Failure refuses it. */
  admitStream(): void
  /** Called when the answer is a stream, whatever headers led to it. */
  onStream(): void
  /** Called when the answer is complete and about to be sent, with its size; a Failure is sent in its place. */
  onAnswer(bytes: number): void
  /** Called before something is changed: whatever is unread, `takeRoom` and `onAnswer` refuse nothing from then on. */
  mustAnswer(): void
  /** The result when it is too large to be written at once. */
  large?: unknown
  res: ServerResponse
}

/** Runs operations, for HTTP and for sockets alike. */
export type Engine = ReturnType<typeof createEngine>

/**
 * Yoga with the rules of this API: documents are parsed and validated once and then cached, access and limits are checked
 * before an operation runs, errors are those of the catalogue. Its context is the Ctx it is called with.
 */
export function createEngine() {
  const documents = recent(documentBounds)
  const yoga = createYoga<HttpCall, object>({
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
    // The body has already been read and limited, by readBody.
    maxRequestBodySize: false,
    // Errors are not worth caching: a caller who sends invalid documents sends different ones.
    parserAndValidationCache: { documentCache: documents, errorCache: noCache },
    plugins: [checksOperations(), translatesHttp()],
  })
  /** Whether a document has been parsed already. */
  const isParsed = (text: string): boolean => documents.get(text) !== undefined
  return Object.assign(yoga, { isParsed })
}

function checksOperations(): Plugin<Ctx> {
  return {
    onParse({ parseFn, setParseFn }) {
      setParseFn((source, options) => {
        const text = String(source.body ?? source)
        checkLength(text)
        checkNesting(text)
        const document = parseFn(source, { ...options, maxTokens: limits.tokens })
        checkDocument(document)
        return document
      })
    },
    onValidate({ setValidationFn }) {
      setValidationFn(validateDocument)
    },
    onExecute({ args, executeFn, setExecuteFn, setResultAndStopExecution }) {
      const allowed = checkCall(args)
      if (isRefused(allowed)) return setResultAndStopExecution(refused(allowed))
      const { cost, costInTurn } = allowed
      if (cost) setExecuteFn((given) => executeInTurn(given, costInTurn ?? 0, executeFn))
      return {
        onExecuteDone: ({ result, setResult }) =>
          void (isAsyncIterable(result) || setResult({ ...result, extensions: { ...result.extensions, ...(cost && { cost }) } })),
      }
    },
    onSubscribe({ args, setSubscribeFn, setResultAndStopExecution }) {
      const call = args.contextValue as Ctx & Partial<HttpCall>
      const allowed = checkCall(args)
      const admitted = isRefused(allowed) ? allowed : isWithin(call.parameters, kept) ? admit(call, allowed) : [keepsTooMuch()]
      if (isRefused(admitted)) return setResultAndStopExecution(refused(admitted))
      setSubscribeFn((given) => subscribe(given, admitted.costInTurn ?? 0))
      return {
        onSubscribeResult: ({ result, setResult }) =>
          setResult(isAsyncIterable(result) ? endingWithError(result, call) : ofWholeRequest(result)),
      }
    },
  }
}

// Passes what was already read to Yoga, so that what was checked is what runs, and gives the result its headers and errors.
function translatesHttp(): Plugin<object, HttpCall> {
  return {
    onRequestParse({ serverContext: { parameters }, setRequestParser }) {
      setRequestParser(() => parameters)
    },
    onResultProcess({ result, setResult, serverContext }) {
      setHeaders(serverContext.res, answerHeaders(serverContext.answer))
      if (isAsyncIterable(result)) followStream(result, serverContext)
      else if (!Array.isArray(result)) setResult(writtenLater(withGraphqlErrors(result as ExecutionResult, serverContext), serverContext))
    },
    async onResponse({ response, serverContext, setResponse, fetchAPI }) {
      const { onAnswer, res } = serverContext
      // Yoga refuses to write a result for a caller who accepts none of its forms.
      const large = response.headers.has('content-type') ? serverContext.large : undefined
      try {
        const body = large === undefined ? undefined : await writeJson(serverContext, leftOf(res), large)
        if (body !== undefined) await requireSameRights(serverContext)
        onAnswer(body === undefined ? Number(response.headers.get('content-length') ?? 0) : Buffer.byteLength(body))
        if (body !== undefined) setResponse(withBody(response, body, fetchAPI))
      } catch (error) {
        const { message, extensions } = toGraphqlError(error, serverContext)
        const { http, ...shown } = extensions as { http?: { status?: number; headers?: Record<string, string> } }
        setHeaders(res, http?.headers ?? {})
        const headers = { 'Content-Type': response.headers.get('content-type') ?? 'application/json; charset=utf-8' }
        setResponse(
          new fetchAPI.Response(JSON.stringify({ errors: [{ message, extensions: shown }] }), { status: http?.status ?? 500, headers }),
        )
      }
    },
  }
}

// Yoga writes a result at once, which would keep the thread busy for long: a large one is written in its place (`withBody`).
function writtenLater(result: ExecutionResult, call: HttpCall): ExecutionResult {
  if (isSmall(result)) return result
  call.large = result
  return { ...result, stringify: () => '' } as ExecutionResult
}

// An event of a stream, which Yoga would write at once as well.
async function writtenBefore(result: ExecutionResult, call: Ctx & Partial<HttpCall>): Promise<ExecutionResult> {
  if (!call.res || isSmall(result)) return result
  const text = String(await writeJson(call, leftOf(call.res), result))
  return { ...result, stringify: () => text } as ExecutionResult
}

// The body of Yoga's, such as a stream with a timer, begins when it is read, which nobody does.
function withBody({ status, headers }: Response, json: string | Buffer<ArrayBuffer>, { Response }: FetchAPI): Response {
  const type = headers.get('content-type') ?? 'application/json; charset=utf-8'
  return new Response(framed(json, type), { status, headers: { 'Content-Type': type } })
}

// Yoga does not end the source of a stream that it refuses to write, such as for a caller who accepts only JSON.
function followStream(result: AsyncIterable<unknown>, { res, onStream }: HttpCall): void {
  const end = (): void => void result[Symbol.asyncIterator]().return?.()
  if (res.closed) end()
  else res.once('close', end)
  onStream()
}

// Over a socket nothing limits one subscription.
function admit({ admitStream }: Partial<HttpCall>, allowed: Allowed): Allowed | Refused {
  try {
    admitStream?.()
    return allowed
  } catch (error) {
    if (error instanceof Failure) return [error]
    throw error
  }
}

async function executeInTurn<Args extends ExecutionArgs>(args: Args, cost: number, execute: (args: Args) => unknown) {
  const call = args.contextValue as Ctx & Partial<HttpCall>
  if (isQuery(args)) call.readSince = performance.now()
  else call.mustAnswer?.()
  try {
    const result = await runInTurn(call, cost, (ctx) => {
      if (cost > maxCostAtOnce) inPiecesFrom(ctx)
      return execute({ ...args, contextValue: ctx })
    })
    await requireSameRights(call)
    return result
  } catch (error) {
    if (error instanceof Failure) return refused([error])
    throw error
  }
}

function isQuery({ document, operationName }: ExecutionArgs): boolean {
  return getOperationAST(document, operationName)?.operation === OperationTypeNode.QUERY
}

/** What a subscription may be sent with, its document included: it stays in memory as long as it lives. */
export const kept = { characters: 16 * 1024, values: 500 }

/** The failure of a subscription that is sent with more than it may keep. */
export function keepsTooMuch(): Failure {
  return new Failure('PAYLOAD_TOO_LARGE', 'A subscription, with its variables, may have at most 16 KB and 500 values.', {
    suggestion: 'Send only the variables that its document names, and filter what you are sent by its arguments.',
  })
}

function refused(reasons: Refused): ExecutionResult {
  return { errors: reasons.map((one) => (one instanceof GraphQLError ? one : new GraphQLError(one.message, { originalError: one }))) }
}

// A subscription that does not begin fails as a whole: without a path its errors set the HTTP status, which tells an
// EventSource not to connect again.
function ofWholeRequest({ errors, ...result }: ExecutionResult): ExecutionResult {
  return errors
    ? { ...result, errors: errors.map((error) => new GraphQLError(error.message, { originalError: error.originalError ?? error })) }
    : result
}

/**
 * A stream whose error becomes its last result, so that the subscriber learns why it ended and where to resume. It is not a
 * generator, because a generator that waits for its source cannot be closed before the source yields.
 */
function endingWithError(source: AsyncIterable<unknown>, call: Ctx & Partial<HttpCall>): AsyncIterableIterator<ExecutionResult> {
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
        return done ? over : { done: false, value: await writtenBefore(withGraphqlErrors(value, call), call) }
      } catch (error) {
        ended = true
        return { done: false, value: { errors: [toGraphqlError(error, call)] } }
      }
    },
    async return() {
      ended = true
      await results.return?.()
      return over
    },
  }
}
