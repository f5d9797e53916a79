import { type AnyVariables, type Client as ApiClient, stringifyDocument, type TypedDocumentNode } from '@urql/core'
import { type Client, createClient, type ExecutionResult } from 'graphql-ws'
import { LiveCursorDocument, LiveDocument, type LiveSubscription } from '../graphql/graphql.ts'

/** Something that has just happened in the project. */
export type LiveItem = LiveSubscription['activity']

/** `closed`: not allowed here, so that trying again does not help. */
export type LiveState = 'connecting' | 'live' | 'lost' | 'closed'

/** What happens in a project, as it happens: over one socket per tab, each item once and in order, however often it breaks. */
export interface Live {
  state(): LiveState
  /** The newest items, newest last, at most 2,000. */
  items(): readonly LiveItem[]
  /** When the newest item arrived, or the stream of them began, in ms since 1970; infinite before. */
  changedAt(): number
  /** Called with each change of the state. */
  onState(listener: () => void): () => void
  /** Called each time the stream begins at the present: what happened before is not in it. */
  onBegin(listener: () => void): () => void
  /** Called with what has arrived since the last frame, oldest first. */
  onItems(listener: (arrived: LiveItem[]) => void): () => void
  /** Another subscription on the same socket; it is sent again on each new connection, and when the server was too busy for it. */
  watch<T, V extends AnyVariables>(document: TypedDocumentNode<T, V>, variables: V, onData: (data: T) => void): () => void
  close(): void
}

/** The fields of the project that something has changed, such as `disabled` or `members.role`; none for anything else. */
export function changedFields({ metadata }: LiveItem): string[] {
  const { eventName, eventData } = (metadata ?? {}) as { eventName?: unknown; eventData?: { fields?: unknown } | null }
  const fields = eventName === 'project.changed' ? eventData?.fields : undefined
  return Array.isArray(fields) ? fields.map(String) : []
}

const maxItems = 2_000
const codes = { unauthorized: 4401, forbidden: 4403, cursorExpired: 4410 }

/**
 * Opens the live connection of a project. `api` is its client, which is asked where the stream begins; `whenSignedIn` is called when the
 * session has ended, and waited for.
 */
export function openLive(api: ApiClient, projectId: string, whenSignedIn: () => Promise<void>): Live {
  const listeners = { state: new Set<() => void>(), begin: new Set<() => void>(), items: new Set<(arrived: LiveItem[]) => void>() }
  let state: LiveState = 'connecting'
  let items: LiveItem[] = []
  let changedAt = Number.POSITIVE_INFINITY
  let ended = false
  const become = (next: LiveState) => {
    if (state === next || state === 'closed') return
    state = next
    for (const listener of listeners.state) listener()
  }
  const arrive = batched((arrived: LiveItem[]) => {
    items = [...items, ...arrived].slice(-maxItems)
    changedAt = Date.now()
    for (const listener of listeners.items) listener(arrived)
  })
  const begin = () => {
    changedAt = Date.now()
    for (const listener of listeners.begin) listener()
  }
  const socket = openSocket(projectId, become)
  void follow(api, socket, { begin, arrive, isEnded: () => ended || state === 'closed', whenSignedIn })
  return {
    state: () => state,
    items: () => items,
    changedAt: () => changedAt,
    onState: (listener) => added(listeners.state, listener),
    onBegin: (listener) => added(listeners.begin, listener),
    onItems: (listener) => added(listeners.items, listener),
    watch: (document, variables, onData) => watch({ socket, whenSignedIn }, document, variables, onData),
    close() {
      ended = true
      void socket.dispose()
    },
  }
}

function openSocket(projectId: string, become: (state: LiveState) => void): Client {
  return createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    connectionParams: { projectId },
    retryAttempts: Number.POSITIVE_INFINITY,
    retryWait: (retries) => pause(Math.min(30_000, 500 * 2 ** Math.min(retries, 6))),
    // A connection that has died without a word is noticed.
    keepAlive: 15_000,
    shouldRetry: (reason) => ![codes.forbidden, codes.cursorExpired].includes(codeOf(reason)),
    on: {
      connected: () => become('live'),
      closed: (reason) => become(codeOf(reason) === codes.forbidden ? 'closed' : 'lost'),
    },
  })
}

interface Follow {
  begin(): void
  arrive(item: LiveItem): void
  isEnded(): boolean
  whenSignedIn(): Promise<void>
}

// A stream that ends is begun again behind the last item that was handled; when that place is gone, where the log is now.
async function follow(api: ApiClient, socket: Client, { begin, arrive, isEnded, whenSignedIn }: Follow): Promise<void> {
  let after: string | undefined
  while (!isEnded()) {
    if (after === undefined) {
      after = await beginning(api)
      if (after === undefined) {
        await pause(2_000)
        continue
      }
      begin()
    }
    const { cursor, code } = await read(socket, after, arrive)
    after = code === 'CURSOR_EXPIRED' || code === String(codes.cursorExpired) ? undefined : cursor
    if (!isEnded() && code === String(codes.unauthorized)) await whenSignedIn()
    if (!isEnded()) await pause(1_000)
  }
}

async function beginning(api: ApiClient): Promise<string | undefined> {
  const { data } = await api.query(LiveCursorDocument, {}, { requestPolicy: 'network-only' })
  return data?.activityCursor
}

// Until the stream ends. The variables are read anew for each connection, so that each begins behind the newest item.
function read(socket: Client, from: string, arrive: (item: LiveItem) => void): Promise<{ cursor: string; code: string }> {
  let cursor = from
  const variables = {
    get after() {
      return cursor
    },
  }
  return new Promise((resolve) => {
    const end = (code: string) => resolve({ cursor, code })
    socket.subscribe<LiveSubscription>(
      { query: stringifyDocument(LiveDocument), variables },
      {
        next({ data, errors }: ExecutionResult<LiveSubscription, unknown>) {
          const { code, cursor: resumeFrom } = (errors?.[0]?.extensions ?? {}) as { code?: string; cursor?: string }
          if (data) {
            cursor = data.activity.cursor
            arrive(data.activity)
          } else if (resumeFrom) cursor = resumeFrom
          if (code !== undefined && !data) end(code)
        },
        error: (reason) => end(String(codeOf(reason))),
        complete: () => end(''),
      },
    )
  })
}

function watch<T, V extends AnyVariables>(
  { socket, whenSignedIn }: { socket: Client; whenSignedIn(): Promise<void> },
  document: TypedDocumentNode<T, V>,
  variables: V,
  onData: (data: T) => void,
): () => void {
  let isStopped = false
  let stop = (): void => {}
  // A server that is busy or restarts is asked again; what is refused for good would be refused again.
  const fail = async (reason: unknown) => {
    const isSignedOut = codeOf(reason) === codes.unauthorized
    if (!isSignedOut && !isTemporary(reason)) return
    await (isSignedOut ? whenSignedIn() : pause(2_000))
    if (!isStopped) begin()
  }
  const begin = () => {
    stop = socket.subscribe<T>(
      { query: stringifyDocument(document), variables: variables ?? {} },
      {
        next: ({ data, errors }) => (data ? onData(data) : void fail(errors)),
        error: (reason) => void fail(reason),
        complete: () => {},
      },
    )
  }
  begin()
  return () => {
    isStopped = true
    stop()
  }
}

function isTemporary(reason: unknown): boolean {
  const [first] = Array.isArray(reason) ? (reason as { extensions?: { statusCode?: unknown } }[]) : []
  const status = Number(first?.extensions?.statusCode)
  return status === 429 || status >= 500
}

// Once per frame; in a tab that is not shown, which has no frames, a few times per second.
function batched<T>(handle: (arrived: T[]) => void): (one: T) => void {
  let waiting: T[] = []
  const flush = () => {
    const arrived = waiting
    waiting = []
    handle(arrived)
  }
  return (one) => {
    if (waiting.push(one) > 1) return
    if (document.hidden) setTimeout(flush, 250)
    else requestAnimationFrame(flush)
  }
}

function codeOf(reason: unknown): number {
  return typeof reason === 'object' && reason !== null && 'code' in reason ? Number(reason.code) : 0
}

// Between half and all of it, so that the clients of a server that has restarted do not come back at once.
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms * (0.5 + Math.random() / 2)))
}

function added<T>(set: Set<T>, one: T): () => void {
  set.add(one)
  return () => void set.delete(one)
}
