// A bare server in a process of its own that reads JSON bodies and answers: what the fairness benchmark compares a neighbour with
// that takes the machine, but nothing of Postwire.
import { createServer } from 'node:http'

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString('utf8'))
    response.writeHead(422, { 'Content-Type': 'application/json' }).end('{"success":false}')
  })
})
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('ready'))
