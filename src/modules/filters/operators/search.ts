import type { LoopShare } from '../../../kit/loop-share.ts'

/** Looks for texts in the texts of one contact and its event. */
export interface TextSearch {
  /** Whether a text contains another, as `includes` says, in time that grows with the sum of their lengths and not with their product. */
  contains(text: string, part: string): boolean | Promise<boolean>
}

// `includes` compares up to every character of the one with every character of the other, in one piece: 500 ms for 8,000 in 125,000.
// So many such pairs take about 0.1 ms.
const maxPairs = 2 ** 18
const pairsPerUnit = 4
/** How many characters are looked at before others may have the thread. */
const pieceLength = 2 ** 16

/** Creates a search whose work is counted in `share`, a unit per character; what it prepares of a long text is kept as long as the search. */
export function createTextSearch(share: LoopShare): TextSearch {
  const longTexts = new Map<string, Promise<LongText>>()
  return {
    contains(text, part) {
      const pairs = text.length * part.length
      if (part.length > text.length) return false
      if (pairs > maxPairs) return containsLong(text, part)
      const turn = share.take(Math.ceil(pairs / pairsPerUnit))
      return turn ? turn.then(() => text.includes(part)) : text.includes(part)
    },
  }

  async function containsLong(text: string, part: string): Promise<boolean> {
    const long = longTexts.get(text) ?? prepareText(text, share)
    longTexts.set(text, long)
    const { codes, runs } = await long
    await share.take(part.length)
    const sought = codesOf(part)
    return mayContain(runs, sought) && find(codes, sought, share)
  }
}

/** A text that many filters may ask: its characters, and which runs of four of them it has, by their hash. */
interface LongText {
  codes: Uint16Array
  runs: Uint32Array
}

const runLength = 4
const hashes = 2 ** 16
// Of the last four characters, of which those before have been shifted out.
const hashWith = (hash: number, code: number): number => ((hash << 4) ^ code) & (hashes - 1)

async function prepareText(text: string, share: LoopShare): Promise<LongText> {
  const codes = new Uint16Array(text.length)
  const runs = new Uint32Array(hashes / 32)
  let hash = 0
  for (let from = 0; from < text.length; from += pieceLength) {
    const end = Math.min(text.length, from + pieceLength)
    await share.take(end - from)
    for (let at = from; at < end; at++) {
      const code = text.charCodeAt(at)
      codes[at] = code
      hash = hashWith(hash, code)
      runs[hash >>> 5] = (runs[hash >>> 5] ?? 0) | (1 << (hash & 31))
    }
  }
  return { codes, runs }
}

function codesOf(part: string): Uint16Array {
  const codes = new Uint16Array(part.length)
  for (let at = 0; at < part.length; at++) codes[at] = part.charCodeAt(at)
  return codes
}

// Most texts that another does not contain have a run that it does not have, so that it need not be looked through.
function mayContain(runs: Uint32Array, sought: Uint16Array): boolean {
  let hash = 0
  for (let at = 0; at < sought.length; at++) {
    hash = hashWith(hash, sought[at] as number)
    if (at >= runLength - 1 && ((runs[hash >>> 5] ?? 0) & (1 << (hash & 31))) === 0) return false
  }
  return true
}

// The algorithm of Knuth, Morris and Pratt: no character of the text is looked at again after a mismatch.
async function find(codes: Uint16Array, sought: Uint16Array, share: LoopShare): Promise<boolean> {
  await share.take(sought.length)
  const back = bordersOf(sought)
  let matched = 0
  for (let from = 0; from < codes.length; from += pieceLength) {
    const piece = codes.subarray(from, from + pieceLength)
    await share.take(piece.length)
    matched = matchedAfter(piece, sought, back, matched)
    if (matched === sought.length) return true
  }
  return false
}

// The loops below are as V8 runs them fastest; what an index leads to is always there.
function matchedAfter(piece: Uint16Array, sought: Uint16Array, back: Int32Array, before: number): number {
  let matched = before
  for (let at = 0; at < piece.length; at++) {
    const code = piece[at]
    while (matched > 0 && code !== sought[matched]) matched = back[matched - 1] as number
    if (code === sought[matched] && ++matched === sought.length) return matched
  }
  return matched
}

// For each beginning of the text, how many characters it ends with that it also begins with, without being all of it.
function bordersOf(sought: Uint16Array): Int32Array {
  const back = new Int32Array(sought.length)
  for (let at = 1, matched = 0; at < sought.length; at++) {
    const code = sought[at]
    while (matched > 0 && code !== sought[matched]) matched = back[matched - 1] as number
    if (code === sought[matched]) matched++
    back[at] = matched
  }
  return back
}
