/** Tells what an editor said itself, and is handed back later, from what others wrote. */
export interface Echoes {
  /** The editor says a text. */
  said(text: string): void
  /** Whether a text that is handed over is one that the editor has said: it may have gone on since. */
  isOne(text: string): boolean
}

/** Begins with what both have. */
export function createEchoes(text: string): Echoes {
  let shown = text
  let waiting: string[] = []
  return {
    said(next) {
      // What is shown already is not handed back.
      waiting = next === shown ? [] : [...waiting, next]
    },
    isOne(next) {
      shown = next
      const at = waiting.indexOf(next)
      // Texts that followed one another at once are handed back as the last of them.
      waiting = at === -1 ? [] : waiting.slice(at + 1)
      return at !== -1
    },
  }
}
