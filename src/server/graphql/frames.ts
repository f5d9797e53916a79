/** What of messages and control frames lies in a piece that a client has sent. */
export interface Parts {
  /** How many messages and control frames end in it. */
  ended: number
  /** With which of those nothing is unfinished any more that began before the piece; 0 when that does not end in it. */
  endedBefore: number
  /** Whether a part of it belongs to a message or a control frame that has not ended. */
  isUnfinished: boolean
}

/** Follows the frames that a client sends on a websocket, however they are cut into pieces. */
export function followFrames(): (piece: Buffer) => Parts {
  let head: number[] = []
  let payloadBytes: number | undefined
  // A message has begun, and its last frame has not come.
  let isWithinMessage = false

  // Takes what a piece has of the current frame from there on; returns where that ends.
  function take(piece: Buffer, from: number): number {
    let at = from
    while (payloadBytes === undefined && at < piece.length) {
      head.push(piece[at++] ?? 0)
      if (head.length === headBytes(head)) payloadBytes = payloadOf(head)
    }
    if (payloadBytes === undefined) return at
    const taken = Math.min(payloadBytes, piece.length - at)
    payloadBytes -= taken
    return at + taken
  }

  function endFrame(): void {
    if (!isControl(head)) isWithinMessage = !isLast(head)
    head = []
    payloadBytes = undefined
  }

  return (piece) => {
    const parts: Parts = { ended: 0, endedBefore: 0, isUnfinished: false }
    for (let at = 0; at < piece.length; ) {
      at = take(piece, at)
      const [ofMessage, hasEnded] = [!isControl(head), payloadBytes === 0]
      if (!hasEnded || (ofMessage && !isLast(head))) parts.isUnfinished = true
      else parts.ended++
      if (!hasEnded) continue
      endFrame()
      if (isWithinMessage) continue
      parts.isUnfinished = false
      parts.endedBefore ||= parts.ended
    }
    return parts
  }
}

// The head of a frame (RFC 6455, 5.2): two bytes, 0, 2 or 8 of a longer length, and 4 of the mask, which clients always send.
function headBytes([, second]: number[]): number {
  return second === undefined ? 2 : 2 + lengthBytes(second) + 4
}

function lengthBytes(second: number): number {
  const length = second & 0x7f
  return length === 126 ? 2 : length === 127 ? 8 : 0
}

function payloadOf(head: number[]): number {
  const second = head[1] ?? 0
  const longer = head.slice(2, 2 + lengthBytes(second))
  return longer.length > 0 ? longer.reduce((sum, byte) => sum * 256 + byte, 0) : second & 0x7f
}

const isControl = ([first = 0]: number[]): boolean => (first & 0x08) !== 0
const isLast = ([first = 0]: number[]): boolean => (first & 0x80) !== 0
