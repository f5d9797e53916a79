/** The replies of a server (RFC 5321, 4.2), in order. */
export interface Replies {
  /** Whether the next reply can be taken without waiting, or there will be none. */
  ready(): boolean
  /** The next reply, its lines joined by line feeds. Throws when the connection was lost. */
  next(): Promise<string>
  /** Takes what the server has written. */
  read(chunk: Buffer): void
  /** There will be no more replies: the connection was lost. */
  fail(error: Error): void
  /** Calls this once the next reply can be taken. */
  whenReady(wake: (() => void) | undefined): void
  /** Whether nothing that was read is left. */
  isEmpty(): boolean
}

// Real replies have a few lines; a server that never ends one must not fill the memory.
const maxReplyLength = 65_536

/** A reader of replies; calls `tooLong` when a server has written 64 KB that are no complete reply, or were not asked for. */
export function createReplies(tooLong: () => void): Replies {
  let complete: string[] = []
  // The lines of a reply that goes on ("250-"), and the beginning of the next line.
  let lines = ''
  let rest = ''
  let failure: Error | undefined
  let wake: (() => void) | undefined

  function addLine(line: string): void {
    if (line.trim() === '') return
    lines += lines === '' ? line : `\n${line}`
    if (/^\d+-/.test(line)) return
    complete.push(decoded(lines))
    lines = ''
  }

  function notify(): void {
    const waiting = wake
    wake = undefined
    waiting?.()
  }

  const replies: Replies = {
    ready: () => complete.length > 0 || failure !== undefined,
    async next() {
      if (!replies.ready()) await new Promise<void>((resolve) => replies.whenReady(resolve))
      const reply = complete.shift()
      if (reply !== undefined) return reply
      throw failure ?? new Error('The connection has no reply')
    },
    read(chunk) {
      rest += chunk.toString('latin1')
      if (chunk.includes('\n')) {
        const read = rest.split(/\r?\n/)
        rest = read.pop() ?? ''
        for (const line of read) addLine(line)
      }
      if (rest.length + lines.length + complete.reduce((sum, { length }) => sum + length, 0) > maxReplyLength) tooLong()
      if (replies.ready()) notify()
    },
    fail(error) {
      failure ??= error
      // Some servers say why they close the connection in a line without an end.
      if (/^[45]\d\d[ -]/.test(rest)) complete = [...complete, decoded(rest)]
      rest = ''
      notify()
    },
    whenReady(awaken) {
      wake = awaken
    },
    isEmpty: () => complete.length === 0 && lines === '' && rest === '',
  }
  return replies
}

// Replies have no charset; most servers write UTF-8, and others keep their octets.
function decoded(reply: string): string {
  const text = Buffer.from(reply, 'latin1').toString()
  return text.includes('\ufffd') ? reply : text
}
