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
  /** The size of the message that is being handed on, for whom it is handed on to. */
  messageBytes?: number
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
 * them is time of the thread that others wait for; those of more than 16 KB one at a time of each account. While a message of a socket
 * waits, those that were read behind it wait as well, and nothing more is read.
 */
export function receiveMessages(world: World, sender: Sender, receive: Receive): void {
  const { socket } = sender
  const read: Message[] = []
  let isHandingOn = false

  function handOn({ data }: Message): void {
    read.shift()
    // What it begins, such as an operation, is admitted by itself.
    void handle(world, sender, receive, data)
  }

  async function handOnAll(): Promise<void> {
    isHandingOn = true
    try {
      for (let next = read[0]; next; next = read[0]) await inTurn(next, sender.closed, handOn)
    } catch (error) {
      // The socket was closed before the turn came.
      if (!(error instanceof TurnMissed)) throw error
      for (const message of read.splice(0)) countLarge(message, -1)
    }
    isHandingOn = false
    if (socket.isPaused) socket.resume()
  }

  socket.on('message', (raw) => {
    const data = raw as Buffer
    const { ctx } = sender
    if (!ctx) return void handle(world, sender, receive, data)
    const message = { ctx, data }
    if (!hasRoom(message)) return socket.close(codes.tryAgainLater, 'Too many large messages wait to be read.')
    countLarge(message, 1)
    read.push(message)
    if (!isHandingOn) void handOnAll()
    if (read.length > 0) socket.pause()
  })
}

/** A message that has been read of a socket, and whose it is. */
interface Message {
  ctx: Ctx
  data: Buffer
}

const isLarge = ({ data }: Message): boolean => data.length > smallBytes

function hasRoom(message: Message): boolean {
  const { ctx, data } = message
  return !isLarge(message) || turnsOf(ctx.world).waiting.of(nameOf(callerOf(ctx))) + data.length <= maxWaitingBytes
}

function countLarge(message: Message, by: 1 | -1): void {
  const { ctx, data } = message
  if (isLarge(message)) turnsOf(ctx.world).waiting.add(nameOf(callerOf(ctx)), by * data.length)
}

async function inTurn(message: Message, closed: AbortSignal | undefined, handOn: (message: Message) => void): Promise<void> {
  const { ctx } = message
  const whenAdmitted = () =>
    admitted(ctx, async (leave) => {
      handOn(message)
      leave()
    })
  if (!isLarge(message)) return whenAdmitted()
  const begun = (): Promise<void> => {
    countLarge(message, -1)
    return whenAdmitted()
  }
  return turnsOf(ctx.world).turns.run(callerOf(ctx), begun, { ended: closed })
}

async function handle(world: World, sender: Sender, receive: Receive, data: Buffer): Promise<void> {
  const { socket } = sender
  // A client that ignores its close frame, such as after its key was rotated, must not be served any more.
  if (socket.readyState !== socket.OPEN) return
  const problem = whyTooComplex(data)
  if (problem) return socket.close(codes.badRequest, `The message ${problem}.`)
  try {
    sender.messageBytes = data.length
    await receive(data.toString())
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Unexpected message of type'))
      return socket.close(codes.badRequest, error.message)
    world.log.error({ err: error }, 'sockets: a message could not be handled')
    socket.close(codes.internalError, new Failure('INTERNAL_SERVER_ERROR').message)
  }
}
