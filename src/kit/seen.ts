import { hash } from 'node:crypto'

/** A set of texts that only ever grows, in 16 bytes per text whatever their length. */
export interface Seen {
  /** Adds a text; returns whether it was not there yet. */
  add(text: string): boolean
}

const slotsPerText = 2

/**
 * A set for at most `max` texts, which are told apart by 64 bits of their hash: that two of a million texts are taken for the same has a
 * chance of 1 in 37 million. A `Set` of them would take several times the memory of the file they are from.
 */
export function createSeen(max: number): Seen {
  const size = max * slotsPerText
  const slots = new Uint32Array(size * 2)
  const digest = Buffer.alloc(8)
  return {
    add(text) {
      digest.write(hash('sha1', text, 'latin1'), 0, 8, 'latin1')
      // 0 marks a free slot.
      const [high, low] = [digest.readUInt32LE(0) | 1, digest.readUInt32LE(4)]
      for (let at = low % size; ; at = (at + 1) % size) {
        if (slots[at * 2] === 0) {
          slots[at * 2] = high
          slots[at * 2 + 1] = low
          return true
        }
        if (slots[at * 2] === high >>> 0 && slots[at * 2 + 1] === low) return false
      }
    },
  }
}
