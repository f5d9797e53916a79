import { once } from 'node:events'
import type { Socket } from 'node:net'
import { scriptedServer } from './smtp.ts'

/** The step of a session at which a mail server holds its answer back: connected, or with a command, or with the whole message. */
export type HeldStep = '<CONNECT>' | 'RCPT' | 'DATA' | '<CONTENT>'

/** A mail server that accepts everything, and holds its answers back when a test says so. */
export interface HoldingServer {
  url: string
  /** How many whole messages it has received. */
  contents(): number
  /** Offers that commands are sent ahead (RFC 2920), or not, from now on: it ends all sessions. */
  offerPipelining(offered: boolean): Promise<void>
  /** Holds back every answer at a step, until `release`; `asked` resolves when the first one is due. For a greeting it ends all sessions. */
  hold(step: HeldStep): Promise<{ asked: Promise<void>; release(): void }>
}

const polite: Record<string, string> = { '<CONNECT>': '220 hi', DATA: '354 go', QUIT: '221 bye' }

/** Starts a mail server that can be held, closed after the file's tests. */
export async function holdingServer(): Promise<HoldingServer> {
  let contents = 0
  let greeting = '250 hi'
  let held: { step: HeldStep; asked: PromiseWithResolvers<void>; released: PromiseWithResolvers<void> } | undefined
  const { url, server } = await scriptedServer(async (command) => {
    if (command === '<CONTENT>') contents++
    if (held?.step === command) {
      const { asked, released } = held
      asked.resolve()
      await released.promise
    }
    return command === 'EHLO' ? greeting : (polite[command] ?? '250 ok')
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // Closed is what the other end has closed, too.
  const endSessions = () => Promise.all([...sockets].map((socket) => once(socket.end(), 'close')))
  return {
    url,
    contents: () => contents,
    async offerPipelining(offered) {
      greeting = offered ? '250-hi\r\n250 PIPELINING' : '250 hi'
      await endSessions()
    },
    async hold(step) {
      if (step === '<CONNECT>') await endSessions()
      const own = { step, asked: Promise.withResolvers<void>(), released: Promise.withResolvers<void>() }
      held = own
      return {
        asked: own.asked.promise,
        release() {
          held = undefined
          own.released.resolve()
        },
      }
    },
  }
}
