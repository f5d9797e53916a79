import { isWithin } from '../kit/json-limits.ts'
import { JsonText } from '../kit/json-text.ts'

/** The longest text, in characters, that is written as JSON at once. */
const pieceLength = 32 * 1024
const smallValues = 2_000
const maxRunMs = 4

/**
 * A value as JSON (as `JSON.stringify` writes it) in UTF-8, made in runs of some milliseconds: `rest` is called between them, with the
 * length of the last one, so that others are answered. A large text that the value has several times is written once.
 */
export async function encodeJson(value: unknown, rest: (afterMs: number) => Promise<unknown>): Promise<Buffer<ArrayBuffer>> {
  const encoded: Buffer[] = []
  let text = ''
  let beganAt = performance.now()
  for (const piece of piecesOf(value, new Map())) {
    if (typeof piece === 'string') text += piece
    if (text.length >= pieceLength || typeof piece !== 'string') {
      encoded.push(Buffer.from(text))
      text = ''
    }
    if (typeof piece !== 'string') encoded.push(piece)
    const runMs = performance.now() - beganAt
    if (runMs < maxRunMs) continue
    await rest(runMs)
    beganAt = performance.now()
  }
  return Buffer.concat([...encoded, Buffer.from(text)])
}

/** Whether a value is written so quickly that it need not be in runs: it has at most 32,000 characters and 2,000 values. */
export function isSmall(value: unknown): boolean {
  return isWithin(value, { characters: pieceLength, values: smallValues })
}

type Piece = string | Buffer
type Written = Map<string, Buffer[]>

function* piecesOf(value: unknown, written: Written): Generator<Piece, void> {
  if (value instanceof JsonText) yield value.text
  else if (typeof value === 'string' && value.length > pieceLength) yield* piecesOfText(value, written)
  else if (typeof value !== 'object' || value === null || isSmall(value)) yield JSON.stringify(value) ?? 'null'
  else if ('toJSON' in value && typeof value.toJSON === 'function') yield* piecesOf(value.toJSON(), written)
  else if (Array.isArray(value)) yield* piecesOfList(value, written)
  else yield* piecesOfObject(value, written)
}

function* piecesOfList(list: readonly unknown[], written: Written): Generator<Piece, void> {
  yield '['
  for (const [at, item] of list.entries()) {
    if (at > 0) yield ','
    yield* piecesOf(item, written)
  }
  yield ']'
}

function* piecesOfObject(object: object, written: Written): Generator<Piece, void> {
  let separator = '{'
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined || typeof value === 'function') continue
    yield `${separator}${JSON.stringify(name)}:`
    separator = ','
    yield* piecesOf(value, written)
  }
  yield separator === '{' ? '{}' : '}'
}

function* piecesOfText(text: string, written: Written): Generator<Piece, void> {
  const before = written.get(text)
  if (before) return yield* before
  const pieces: Buffer[] = []
  yield '"'
  for (let at = 0; at < text.length; ) {
    const end = endOfPiece(text, at)
    const piece = Buffer.from(JSON.stringify(text.slice(at, end)).slice(1, -1))
    pieces.push(piece)
    yield piece
    at = end
  }
  yield '"'
  written.set(text, [Buffer.from('"'), ...pieces, Buffer.from('"')])
}

// The two halves of a character (a surrogate pair) stay together.
function endOfPiece(text: string, at: number): number {
  const end = at + pieceLength
  if (end >= text.length) return text.length
  const isHalf = text.codePointAt(end - 1)
  return isHalf !== undefined && isHalf > 0xffff ? end - 1 : end
}
