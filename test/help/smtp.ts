import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { afterAll } from 'vitest'
import type { SmtpTransport } from '../../src/kit/mailer.ts'

/** A message that the server has accepted. */
export interface Delivered {
  from: string
  to: string[]
  raw: Buffer
}

/** A real SMTP server on a free port, with the messages it has accepted. */
export interface MailServer {
  url: string
  mails: Delivered[]
  /** The number of connections so far. */
  connections(): number
}

/** A refusal of an SMTP server. */
export interface Refusal {
  code: number
  message: string
}

/**
 * Starts an SMTP server (the package smtp-server), closed after the file's tests. `refuse` returns its refusal of a recipient,
 * `refuseData` that of a message, or null to accept.
 */
export async function mailServer(
  plan: { refuse?: (to: string) => Refusal | null; refuseData?: () => Refusal | null } = {},
): Promise<MailServer> {
  const mails: Delivered[] = []
  let connections = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onConnect(_session, done) {
      connections++
      done()
    },
    onRcptTo: ({ address }, _session, done) => done(asError(plan.refuse?.(address) ?? null)),
    onData(stream, session, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        const refusal = asError(plan.refuseData?.() ?? null)
        if (!refusal) mails.push({ ...envelopeOf(session), raw: Buffer.concat(pieces) })
        done(refusal)
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)))
  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, mails, connections: () => connections }
}

/**
 * Starts an SMTP server whose every answer is scripted, for what a well-behaved one never does: `answer` receives each command
 * (and `<CONTENT>` after the final dot) and returns the reply, or null to cut the connection.
 */
export async function scriptedServer(answer: Script): Promise<{ url: string; server: Server }> {
  const server = createServer((socket) => talk(socket, answer))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

/** The reply to a command, which may take its time, or null to cut the connection; `count`: how often the connection has had it. */
export type Script = (command: string, count: number) => string | null | Promise<string | null>

function talk(socket: Socket, answer: Script): void {
  const seen: Record<string, number> = {}
  let buffered = ''
  let inContent = false
  let answering = false
  const say = async (command: string): Promise<void> => {
    const verb = command.split(/[ :]/)[0]?.toUpperCase() ?? ''
    seen[verb] = (seen[verb] ?? 0) + 1
    const reply = await answer(verb, seen[verb])
    if (reply === null) return void socket.destroy()
    inContent = reply.startsWith('354')
    socket.write(`${reply}\r\n`)
  }
  const sayAll = async (first?: string): Promise<void> => {
    if (answering) return
    answering = true
    if (first) await say(first)
    for (let end = ending(); end !== -1; end = ending()) {
      const command = inContent ? '<content>' : buffered.slice(0, end)
      buffered = buffered.slice(end + (inContent ? 5 : 2))
      await say(command)
    }
    answering = false
  }
  const ending = (): number => buffered.indexOf(inContent ? '\r\n.\r\n' : '\r\n')
  socket.on('error', () => undefined)
  socket.on('data', (piece) => {
    buffered += piece.toString('latin1')
    void sayAll()
  })
  void sayAll('<connect>')
}

function envelopeOf({ envelope }: SMTPServerSession): { from: string; to: string[] } {
  return { from: envelope.mailFrom ? envelope.mailFrom.address : '', to: envelope.rcptTo.map(({ address }) => address) }
}

function asError(refusal: Refusal | null): (Error & { responseCode: number }) | null {
  return refusal && Object.assign(new Error(refusal.message), { responseCode: refusal.code })
}

/** A transport for tests about something else than SMTP: it accepts every message and stores it. */
export function acceptingTransport(): { delivered: Delivered[]; mailServer: SmtpTransport } {
  const delivered: Delivered[] = []
  const transport: SmtpTransport = {
    async send({ from, to, pieces }) {
      delivered.push({ from, to, raw: Buffer.concat(pieces) })
      return { kind: 'accepted', response: '250 OK' }
    },
    check: async () => null,
    async close() {},
  }
  return { delivered, mailServer: transport }
}
