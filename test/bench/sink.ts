// A mail server that only reads and answers, in a separate process for the delivery benchmark: it supports pipelining, accepts
// everything and stores nothing. Over IPC it reports how many messages it received and when the first one arrived.
import { createServer, type Socket } from 'node:net'

const endOfContent = '\r\n.\r\n'
const greeting = '220 sink ready\r\n'
const extensions = '250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SIZE 52428800\r\n'

let received = 0
let first = 0

const server = createServer({ noDelay: true }, (socket) => {
  const answer = conversation()
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => reply(socket, answer(chunk)))
  socket.write(greeting)
})
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('ready'))

process.on('message', (command) => {
  if (command === 'reset') {
    received = 0
    first = 0
  }
  process.send?.({ received, first })
})

function reply(socket: Socket, answers: string): void {
  if (answers !== '') socket.write(answers)
  if (answers.includes('221 ')) socket.end()
}

// Returns the answers to each piece of what a client writes; a command or the end of a content may be split over pieces.
function conversation(): (chunk: Buffer) => string {
  let unread: Buffer = Buffer.alloc(0)
  let inContent = false
  return (chunk) => {
    const data = unread.length > 0 ? Buffer.concat([unread, chunk]) : chunk
    let answers = ''
    let at = 0
    for (;;) {
      const mark = inContent ? endOfContent : '\r\n'
      const end = data.indexOf(mark, at, 'latin1')
      if (end === -1) break
      answers += inContent ? accepted() : answerTo(data.toString('latin1', at, at + 4).toUpperCase())
      inContent = !inContent && answers.endsWith('354 go\r\n')
      // The line break of DATA is also the one before the final dot of an empty message.
      at = inContent ? end : end + mark.length
    }
    // Of a content only what may be the beginning of its end is needed.
    unread = data.subarray(inContent ? Math.max(at, data.length - endOfContent.length + 1) : at)
    return answers
  }
}

function accepted(): string {
  received++
  first ||= Date.now()
  return '250 2.0.0 ok\r\n'
}

function answerTo(verb: string): string {
  if (verb === 'EHLO' || verb === 'HELO') return extensions
  if (verb === 'DATA') return '354 go\r\n'
  if (verb === 'QUIT') return '221 2.0.0 bye\r\n'
  return '250 2.0.0 ok\r\n'
}
