import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll } from 'vitest'

/**
 * What a server answers to a command, or to a content (`<CONTENT>`); null ends the connection, and `last` is answered before it ends.
 * `undefined` is the usual answer.
 */
export type Said = string | null | undefined | { last: string }
type Say = (command: string, connection: number) => Said | Promise<Said>

/** Starts a server with pipelining, closed after the file's tests: what it has read, in pieces and as commands, by connection, and how many are open. It answers one after the other. */
export async function pipeliningServer(say: Say = () => undefined) {
  const pieces: string[][] = []
  const commands: string[][] = []
  let open = 0
  const usual: Record<string, string> = { EHLO: '250-hi\r\n250 PIPELINING', DATA: '354 go', QUIT: '221 bye' }
  const server = createServer({ noDelay: true }, (socket: Socket) => {
    const at = pieces.push([]) - 1
    commands.push([])
    open++
    socket.on('close', () => open--)
    socket.on('error', () => socket.destroy())
    let unread = ''
    let inContent = false
    let answered: Promise<unknown> = Promise.resolve()
    socket.on('data', (piece) => {
      pieces[at]?.push(piece.toString('latin1'))
      unread += piece.toString('latin1')
      answered = answered.then(read)
    })
    async function read(): Promise<void> {
      for (;;) {
        const end = unread.indexOf(inContent ? '\r\n.\r\n' : '\r\n')
        if (end === -1) return
        const command = inContent ? '<CONTENT>' : unread.slice(0, end)
        unread = unread.slice(end + (inContent ? 5 : 2))
        commands[at]?.push(command)
        const answer = await say(command, at)
        if (answer === null) return void socket.destroy()
        if (typeof answer === 'object') return void socket.end(`${answer.last}\r\n`)
        const words = answer ?? usual[command.slice(0, 4)] ?? '250 ok'
        inContent = words.startsWith('354')
        socket.write(`${words}\r\n`)
      }
    }
    socket.write('220 hi\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, pieces, commands, open: () => open }
}
