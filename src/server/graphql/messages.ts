import type { WebSocket } from 'ws'
import { callerOf, hasOthersThan, nameOf, restAfter } from '../../kit/callers.ts'
import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { whyTooComplex } from '../../kit/json-limits.ts'
import { createTally } from '../../kit/tally.ts'
import { createTurns, TurnMissed } from '../../kit/turns.ts'
import { perWorld, type World } from '../../kit/world.ts'
import { admitted } from '../admission.ts'

/** A socket, and the call of its caller once that is authenticated. */
interface Sender {
  socket: WebSocket
  ctx?: Ctx | undefined
  /** Aborted when the socket is closed. */
  closed?: AbortSignal
}

/** What handles the text of a message. */
type Receive = (text: string) => Promise<void>

const codes = { tryAgainLater: 1013, badRequest: 4400, internalError: 4500 }

const smallBytes = 16 * 1024

// To read a large message takes milliseconds of the thread, about half of them before it is handed on. Who sends many has one at a time
// read, with rests while others call.
const turnsOf = perWorld((world) => ({
  waiting: createTally(),
  turns: createTurns({
    max: Number.POSITIVE_INFINITY,
    maxPerOwner: 1,
    restOf: (owner, { busyMs, turns }) => (hasOthersThan(world, owner, busyMs) ? restAfter(2 * busyMs * turns) : 0),
  }),
}))

// Of one account, on however many sockets.
const maxWaitingBytes = 16 * 1024 * 1024

/**
 * Hands the messages of a socket on, in order: those of an authenticated caller by admission, as requests, because what it takes to read
 * them is time of the thread that others wait for; those of more than 16 KB one at a time of each account. Nothing more is read of a
 * socket while a message of it waits.
 */
export function receiveMessages(world: World, sender: Sender, receive: Receive): void {
  const { socket } = sender
  let waiting = 0
  socket.on('message', (data) => {
    const { ctx } = sender
    if (!ctx) return void handle(world, socket, receive, data as Buffer)
    const message = data as Buffer
    waiting++
    const read = () =>
      admitted(ctx, async (leave) => {
        waiting--
        if (waiting === 0 && socket.isPaused) socket.resume()
        // What it begins, such as an operation, is admitted by itself.
        void handle(world, socket, receive, message)
        leave()
      })
    if (message.length > smallBytes) readInTurn(world, { socket, ctx, closed: sender.closed, bytes: message.length }, read)
    else void read()
    if (waiting > 0) socket.pause()
  })
}

interface LargeMessage {
  socket: WebSocket
  ctx: Ctx
  closed: AbortSignal | undefined
  bytes: number
}

function readInTurn(world: World, { socket, ctx, closed, bytes }: LargeMessage, read: () => Promise<void>): void {
  const { turns, waiting } = turnsOf(world)
  const owners = callerOf(ctx)
  const owner = nameOf(owners)
  if (waiting.of(owner) + bytes > maxWaitingBytes) {
    socket.close(codes.tryAgainLater, 'Too many large messages wait to be read.')
    return
  }
  waiting.add(owner, bytes)
  const begun = async (): Promise<void> => {
    waiting.add(owner, -bytes)
    await read()
  }
  turns.run(owners, begun, { ended: closed }).catch((error: unknown) => {
    // The socket was closed before the turn came.
    if (!(error instanceof TurnMissed)) throw error
    waiting.add(owner, -bytes)
  })
}

async function handle(world: World, socket: WebSocket, receive: Receive, data: Buffer): Promise<void> {
  // A client that ignores its close frame, such as after its key was rotated, must not be served any more.
  if (socket.readyState !== socket.OPEN) return
  const problem = whyTooComplex(data)
  if (problem) return socket.close(codes.badRequest, `The message ${problem}.`)
  try {
    await receive(data.toString())
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Unexpected message of type'))
      return socket.close(codes.badRequest, error.message)
    world.log.error({ err: error }, 'sockets: a message could not be handled')
    socket.close(codes.internalError, new Failure('INTERNAL_SERVER_ERROR').message)
  }
}
