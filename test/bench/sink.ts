// A mail server that accepts everything and stores nothing, in a separate process for the delivery benchmark. Over IPC it
// reports how many messages it received and when the first one arrived.
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

process.on('message', (command) => {
  if (command === 'reset') {
    received = 0
    first = 0
  }
  process.send?.({ received, first })
})
