// A mail server that takes everything and keeps nothing: a process of its own for the delivery row. Asked over IPC, it
// tells how many mails came and when the first one did.
import { SMTPServer } from 'smtp-server'

let received = 0
let first = 0

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  logger: false,
  onData(stream, _session, done) {
    stream.resume()
    stream.once('end', () => {
      received++
      first ||= Date.now()
      done()
    })
  },
})
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('ready'))

process.on('message', (word) => {
  if (word === 'reset') {
    received = 0
    first = 0
  }
  process.send?.({ received, first })
})
