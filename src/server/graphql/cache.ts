/** What Yoga keeps parsed documents in. */
export interface DocumentCache<Kept> {
  get(text: string): Kept | undefined
  set(text: string, kept: Kept): void
}

/** Keeps the most recently used values of short texts only, so that nobody can fill the memory with long ones. */
export function recent<Kept>(most: number, longest: number): DocumentCache<Kept> {
  const kept = new Map<string, Kept>()
  return {
    get(text) {
      const there = kept.get(text)
      if (there === undefined) return undefined
      kept.delete(text)
      kept.set(text, there)
      return there
    },
    set(text, value) {
      if (text.length > longest) return
      kept.set(text, value)
      const [oldest] = kept.keys()
      if (kept.size > most && oldest !== undefined) kept.delete(oldest)
    },
  }
}
