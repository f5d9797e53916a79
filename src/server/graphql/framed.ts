interface Frame {
  before(bytes: number): string
  after: string
}

const frames: Record<string, Frame> = {
  'text/event-stream': { before: () => ':\n\nevent: next\ndata: ', after: '\n\nevent: complete\ndata:\n\n' },
  'multipart/mixed': {
    before: (bytes) => `\r\n---\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${bytes}\r\n\r\n`,
    after: '\r\n-----\r\n',
  },
}

/**
 * A single result, written as JSON already, in the form of its media type as Yoga would send it: the one event of a stream (GraphQL over
 * SSE), the one part of several (incremental delivery), or as it is.
 */
export function framed(json: string | Buffer<ArrayBuffer>, contentType: string): string | Buffer<ArrayBuffer> {
  const frame = frames[contentType.split(';')[0] ?? '']
  if (!frame) return json
  return Buffer.concat([Buffer.from(frame.before(Buffer.byteLength(json))), Buffer.from(json), Buffer.from(frame.after)])
}
