import { z } from 'zod'
import { type Access, isWrite, requireProjectAccess } from './access.ts'
import type { Ctx } from './context.ts'
import type { Download } from './download.ts'
import type { ErrorCode } from './errors.ts'

/** The HTTP methods of routes. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The documentation and the options of a route. */
export interface RouteNotes<Answer> {
  /** One line for the API reference: what the call does. */
  summary: string
  /** More for the API reference, in Markdown. */
  description?: string
  /** The operationId in the API reference, for the second endpoint of an operation. Default: the name of the operation. */
  operationId?: string
  /** The status of the answer: 201 for a new resource, 202 for a queued job, 204 without a body. Default 200. */
  status?: number | { of: (answer: Answer) => number; all: number[] }
  /** Answers `{ success: true, data }` instead of the bare resource. */
  wrap?: boolean
  /** Error codes beyond those of every route. */
  errors?: ErrorCode[]
  /** Largest body in bytes. Default 1 MB. */
  bodyLimit?: number
  /** A DELETE that takes a JSON body, as POST does; otherwise its input is in the path and the query. */
  readsBody?: boolean
  /** Accepts the header Idempotency-Key, with a JSON body. */
  idempotent?: boolean
  /** Accepts a multipart form: the input has `file` (filename, contentType, bytes), its first file, of at most this size. */
  maxFileBytes?: number
  /** A write that also works while the project is suspended, such as paying. */
  whileSuspended?: boolean
  /** Allowed before the caller has verified their address, where that is required. */
  whileUnverified?: boolean
  /** The path parameter of a route with the access `none` or `user`, by which nothing is checked: the operation checks whose it is. */
  checks?: string
  /** The path parameter that names a user: that user needs no role, because the call is about themselves. */
  oneself?: string
  /**
   * A GET that changes something, and therefore is a write as other methods are: from a browser it is accepted only from our own pages,
   * and in a suspended project it is refused (unless `whileSuspended`).
   */
  changes?: boolean
  /** A POST that changes nothing: what takes it long to read is answered as that of a GET is, only to who may still read it. */
  reads?: boolean
  /** Answers with a file of this content type, which is streamed; see `download`. */
  file?: string
  /** Answers with a redirect (302) to `ctx.answer.location`. */
  redirects?: boolean
}

/** A call of another service as it was received: the bytes of its body, and its headers, whose names are in lower case. */
interface SignedCall {
  raw: Buffer
  headers: Record<string, string>
}

/** How a service that calls a route is known: by what it has signed, in the body itself or in a header. */
export interface Signature<Message> {
  signedIn: 'the body' | { header: string }
  /** What the service says, for the operation, which is given nothing else. Rejects with a Failure unless the service has signed it. */
  verify: (ctx: Ctx, call: SignedCall) => Promise<Message>
}

/** A route of the REST interface: an adapter around one operation. */
export interface Route {
  method: Method
  path: string
  /** Who may call. */
  access: Access
  input: z.ZodType
  output: z.ZodType
  /** The path parameter that names the project, if there is one; it takes precedence over X-Project-Id. */
  projectIn: string | undefined
  /** The name of the operation, which is also its GraphQL field and, unless the notes give another, its operationId. */
  name: string
  run: (ctx: Ctx, input: never) => Promise<unknown>
  notes: RouteNotes<never>
  /** Of a receiver; see `receiver`. */
  signature?: Signature<unknown>
  /** The same endpoint for another kind of content; see `alsoWith`. */
  variant?: Route
}

/** Whether a call of a route changes something; see `isWrite`. */
export function isWriteRoute({ method, notes }: Pick<Route, 'method' | 'notes'>): boolean {
  return isWrite({ kind: method, changes: notes.changes })
}

/** Whether the input of a route is in its body: of POST, PUT and PATCH, and of a DELETE that says so. */
export function readsBody({ method, notes }: Pick<Route, 'method' | 'notes'>): boolean {
  return method === 'DELETE' ? notes.readsBody === true : method !== 'GET'
}

/**
 * Declares a route. The query (GET, DELETE) or the JSON body (POST, PUT, PATCH; see readsBody) and the path parameters, which take
 * precedence, are merged into one object for `input`. An operation that does not match its shapes is a compile error here. A path that
 * names a project is entered by its members and its keys only: it cannot have the access `none` or `user`, with which any other
 * parameter needs the note `checks`.
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
  const projectIn = projectOf(path, access, notes)
  const made: Route = {
    method,
    path,
    access,
    input,
    output,
    projectIn,
    name: operation.name,
    run: operation,
    notes: notes as RouteNotes<never>,
  }
  requireBodyOf(made)
  return made
}

/**
 * Declares a route (GET) whose operation answers with a file: it is streamed as fast as the caller reads, and an error after its
 * beginning cuts it off. `output` describes the file for the API reference.
 */
export function download<In extends z.ZodType>(
  path: string,
  access: Access,
  input: In,
  output: z.ZodType,
  operation: (ctx: Ctx, input: z.output<In>) => Promise<Download<string | Uint8Array>>,
  notes: RouteNotes<never> & { file: string },
): Route {
  const projectIn = projectOf(path, access, notes)
  return { method: 'GET', path, access, input, output, projectIn, name: operation.name, run: operation, notes }
}

/**
 * Declares a route (POST) that receives what another service signs: any content type is accepted, no credentials are looked at, and the
 * operation is given what `verify` makes of the call. No limit is kept per client address, as services share theirs with all of their
 * customers, who could keep others out; what calls that are refused take of the thread counts for their address as that of all calls does.
 */
export function receiver<Message, Out extends z.ZodType>(
  path: string,
  signature: Signature<Message>,
  output: Out,
  operation: (ctx: Ctx, message: Message) => Promise<z.input<Out>>,
  notes: Pick<RouteNotes<z.input<Out>>, 'summary' | 'description' | 'errors' | 'bodyLimit'>,
): Route {
  if (path.includes(':')) throw new Error(`${path} has a parameter, which nobody has signed`)
  return {
    ...route('POST', path, 'none', z.never(), output, operation as (ctx: Ctx, message: never) => Promise<z.input<Out>>, notes),
    signature,
  }
}

/**
 * The same endpoint for another kind of content: a `variant` that answers with a file is chosen by the header Accept, one that
 * takes a form by the content type of the body.
 */
export function alsoWith(main: Route, variant: Route): Route {
  const isSame = main.method === variant.method && main.path === variant.path && main.access === variant.access
  const sameNotes = policyNotes.every((note) => main.notes[note] === variant.notes[note])
  if (main.notes.idempotent || variant.notes.idempotent) throw new Error(`${main.path} has a variant, which takes no Idempotency-Key`)
  if (variant.notes.file && main.input !== variant.input)
    throw new Error(`${variant.name} takes parameters that ${main.path} does not publish`)
  if (!isSame || !sameNotes) throw new Error(`${variant.name} is no variant of ${main.method} ${main.path}: other callers may use it`)
  return { ...main, variant }
}

// Which calls the access policy accepts depends on these notes as well.
const policyNotes = ['oneself', 'changes', 'whileSuspended', 'whileUnverified'] as const

// What reads the input of a route looks at one of these notes only: the others would be published, but ignored.
function requireBodyOf({ method, path, notes }: Route): void {
  const { maxFileBytes, idempotent, bodyLimit } = notes
  const fails = (reason: string): never => {
    throw new Error(`${method} ${path} ${reason}`)
  }
  if (!readsBody({ method, notes }) && (maxFileBytes || idempotent || bodyLimit)) fails('has no body')
  if (maxFileBytes && bodyLimit) fails('takes a form, whose size maxFileBytes says')
  if (idempotent && maxFileBytes) fails('cannot be idempotent: only calls with a JSON body take an Idempotency-Key')
}

// What follows `project` or `projects` in a path names a project, and so does `:projectId` anywhere.
const projectPath = /\/projects?\/:(\w+)|:(projectId)\b/

function projectOf(path: string, access: Access, { checks }: Pick<RouteNotes<never>, 'checks'>): string | undefined {
  const found = projectPath.exec(path)
  if (found) {
    requireProjectAccess(access, path)
    return found[1] ?? found[2]
  }
  const [, unchecked] = access === 'none' || access === 'user' ? (/:(\w+)/.exec(path) ?? []) : []
  if (unchecked !== undefined && checks !== unchecked)
    throw new Error(
      `${path} has the parameter :${unchecked}, and the access '${access}' checks no project: use 'secret' or 'admin' for what is of one; otherwise the operation checks whose it is, and the note \`checks: '${unchecked}'\` says so`,
    )
  if (unchecked === undefined && checks !== undefined)
    throw new Error(`${path} is entered by the access '${access}': it needs no \`checks\``)
  return undefined
}
