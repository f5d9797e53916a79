import type { z } from 'zod'
import type { Access } from './access.ts'
import type { Ctx } from './context.ts'
import type { ErrorCode } from './errors.ts'

/** The methods rows are written in. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a row says beyond its shapes. */
export interface RouteNotes<Answer> {
  /** One line for the reference: what the call does. */
  summary: string
  /** More for the reference, in Markdown. */
  description?: string
  /** 201 makes a resource, 202 queues a job, 204 has no body, 200 the rest and the default. */
  status?: number | { of: (answer: Answer) => number; all: number[] }
  /** Answers `{ success: true, data }` instead of the bare resource. */
  wrap?: boolean
  /** Error codes beyond those every row may answer. */
  errors?: ErrorCode[]
  /** Largest body in bytes. Default 1 MB. */
  bodyLimit?: number
  /** Takes an Idempotency-Key header. */
  idempotent?: boolean
  /** Takes a multipart form: input gets `file` (filename, contentType, bytes), its first file part, at most as large as this. */
  maxFileBytes?: number
  /** Takes any content type: input gets `raw` (the bytes of the body) and `headers`. */
  raw?: boolean
  /** A write that also works while the project is suspended, such as paying. */
  whileSuspended?: boolean
  /** Open to somebody who has yet to prove their address, where that is required. */
  whileUnverified?: boolean
  /** The path parameter that names a user: that user may call it without the role, about themselves. */
  oneself?: string
  /** An answer without a body, 302 to `ctx.answer.location`. */
  redirects?: boolean
}

/** One row of the REST interface: an adapter around one operation. */
export interface Route {
  method: Method
  path: string
  /** Who may call. */
  access: Access
  input: z.ZodType
  output: z.ZodType
  /** The path parameter that names the project, where there is one: the path decides, not X-Project-Id. */
  projectIn: string | undefined
  /** The operation's name, which is also its GraphQL field and its operationId. */
  name: string
  run: (ctx: Ctx, input: never) => Promise<unknown>
  notes: RouteNotes<never>
}

/**
 * Declares a row. Path parameters, and the query (GET, DELETE) or the JSON body (POST, PUT, PATCH), are merged into one
 * object for `input`; the path wins. An operation that does not fit its shapes is a compile error here.
 */
export function route<In extends z.ZodType, Out extends z.ZodType>(
  method: Method,
  path: string,
  access: Access,
  input: In,
  output: Out,
  operation: (ctx: Ctx, input: z.output<In>) => Promise<z.input<Out>>,
  notes: RouteNotes<z.input<Out>>,
): Route {
  const projectIn = projectPath.exec(path)?.[1]
  return { method, path, access, input, output, projectIn, name: operation.name, run: operation, notes: notes as RouteNotes<never> }
}

const projectPath = /^\/(?:users\/@me\/projects|projects|domains\/project)\/:(\w+)/
