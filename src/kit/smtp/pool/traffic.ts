/** The messages that are sent over one connection, in order: the first one is under way, others wait until it has ended. */
export interface Traffic {
  /** Adds a message that begins to be sent; what this returns is to be called when it has ended. Null: the one under way takes long. */
  begin(owner: string, withdraw: () => boolean): (() => void) | null
  /** Whose message under way takes long; null when none does. */
  slowOwner(): string | null
  /** Withdraws the message under way. False: it cannot be any more. */
  withdraw(): boolean
}

interface Message {
  owner: string
  withdraw(): boolean
}

const againMs = 10_000

/**
 * Watches the messages of a connection. When one takes longer than `slowMs`, those behind it are withdrawn and `takesLong` is called
 * with its owner, and again every 10 s and when it has ended.
 */
export function createTraffic(slowMs: number, takesLong: (owner: string) => void): Traffic {
  const messages: Message[] = []
  // One timer for many messages: most end long before it.
  let timer: NodeJS.Timeout | undefined
  let since = 0
  let isSlow = false

  function watch(): void {
    since = performance.now()
    timer ??= setTimeout(look, slowMs).unref()
  }

  function look(): void {
    timer = undefined
    if (messages.length === 0) return
    const leftMs = since + (isSlow ? againMs : slowMs) - performance.now()
    if (leftMs > 0) timer = setTimeout(look, Math.ceil(leftMs)).unref()
    else notice()
  }

  function notice(): void {
    const [first, ...behind] = messages
    if (!first) return
    isSlow = true
    watch()
    for (const { withdraw } of behind) withdraw()
    takesLong(first.owner)
  }

  function end(message: Message): void {
    const at = messages.indexOf(message)
    messages.splice(at, 1)
    if (at > 0) return
    const wasSlow = isSlow
    isSlow = false
    if (wasSlow) {
      clearTimeout(timer)
      timer = undefined
    }
    if (messages.length > 0) watch()
    if (wasSlow) takesLong(message.owner)
  }

  return {
    begin(owner, withdraw) {
      if (isSlow) return null
      const message = { owner, withdraw }
      messages.push(message)
      if (messages.length === 1) watch()
      return () => end(message)
    },
    slowOwner: () => (isSlow ? (messages[0]?.owner ?? null) : null),
    withdraw: () => messages[0]?.withdraw() ?? true,
  }
}
