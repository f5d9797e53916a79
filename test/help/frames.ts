/** What a frame of a websocket is, and how it is written. */
interface FramePlan {
  /** Default: the first, or only, one of a message. */
  kind?: 'text' | 'next' | 'ping' | 'pong'
  bytes?: number
  /** Whether its message ends with it. Default: it does. */
  last?: boolean
  /** How many bytes its length has behind the first two. */
  lengthBytes?: 'shortest' | 2 | 8
}

const opcodes = { text: 0x1, next: 0x0, ping: 0x9, pong: 0xa }

/** A frame as clients send them (RFC 6455, 5.2), masked with zeros, of a payload of spaces. */
export function frame({ kind = 'text', bytes = 0, last = true, lengthBytes = 'shortest' }: FramePlan): Buffer {
  const more = lengthBytes === 'shortest' ? (bytes < 126 ? 0 : bytes < 65_536 ? 2 : 8) : lengthBytes
  const head = Buffer.alloc(2 + more + 4)
  head[0] = (last ? 0x80 : 0) | opcodes[kind]
  head[1] = 0x80 | (more === 0 ? bytes : more === 2 ? 126 : 127)
  if (more === 2) head.writeUInt16BE(bytes, 2)
  if (more === 8) head.writeBigUInt64BE(BigInt(bytes), 2)
  return Buffer.concat([head, Buffer.alloc(bytes, ' ')])
}
