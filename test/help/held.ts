import { connect } from 'node:net'

/** Sends a request but for the last octet of its body; returns what sends the rest, and answers with what comes back. */
export async function heldRequest(
  url: string,
  { path, key, body, contentType = 'application/json' }: { path: string; key: string; body: string | Buffer; contentType?: string },
): Promise<() => Promise<string>> {
  const octets = typeof body === 'string' ? Buffer.from(body) : body
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const head = [`POST ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${key}`, `Content-Type: ${contentType}`]
  socket.write([...head, `Content-Length: ${octets.length}`, 'Connection: close', '', ''].join('\r\n'))
  const answer = new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (data) => {
      text += data
    })
    socket.on('close', () => resolve(text))
  })
  await new Promise<void>((sent) => socket.write(octets.subarray(0, -1), () => sent()))
  return () => {
    socket.write(octets.subarray(-1))
    return answer
  }
}
