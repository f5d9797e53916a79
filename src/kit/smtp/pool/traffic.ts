/** The messages that are sent over one connection, in order: the first one is under way, others wait until it has ended. */
export interface Traffic {
  /** Adds a message that begins to be sent; what this returns is to be called when it has ended. Null: the one under way takes long. */
  begin(owner: string, ends: Ends): (() => void) | null
  /** Whose message under way takes long; null when none does. */
  slowOwner(): string | null
  /** Withdraws the message under way. False: it cannot be any more. */
  withdraw(): boolean
  /** Gives up the message under way where it has taken as long as it may while others wait, and its content has not begun to be sent. */
  giveUpIfOverdue(): void
}

/** What ends a message that is being sent. */
export interface Ends {
  /** It leaves its place, and may begin again. False: it cannot any more, because it may have left. */
  withdraw(): boolean
  /** It fails, unless its content has begun to be sent. */
  giveUp(): void
  /** How long it may take while others wait. */
  patienceMs: number
}

interface Message extends Ends {
  owner: string
}

/**
 * Watches the messages of a connection. When one takes longer than `slowMs`, those behind it are withdrawn and `takesLong` is called
 * with its owner, and again every `againMs` and when it has ended.
 */
export function createTraffic({ slowMs, againMs }: { slowMs: number; againMs: number }, takesLong: (owner: string) => void): Traffic {
  const messages: Message[] = []
  // One timer for many messages: most end long before it.
  let timer: NodeJS.Timeout | undefined
  let since = 0
  let begunAt = 0
  let isSlow = false

  function watchFirst(): void {
    begunAt = performance.now()
    watch()
  }

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
    if (messages.length > 0) watchFirst()
    if (wasSlow) takesLong(message.owner)
  }

  return {
    begin(owner, ends) {
      if (isSlow) return null
      const message = { owner, ...ends }
      messages.push(message)
      if (messages.length === 1) watchFirst()
      return () => end(message)
    },
    slowOwner: () => (isSlow ? (messages[0]?.owner ?? null) : null),
    withdraw: () => messages[0]?.withdraw() ?? true,
    giveUpIfOverdue() {
      const [first] = messages
      if (first && performance.now() - begunAt >= first.patienceMs) first.giveUp()
    },
  }
}
