import { isUtf8 } from 'node:buffer'
import { setImmediate as otherWork } from 'node:timers/promises'
import { CsvError, type InfoRecord, type Options, parse } from 'csv-parse'
import { type Failure, invalid } from '../errors.ts'

/** A row of a CSV file. */
export interface CsvRow {
  cells: string[]
  /** The line of the file on which it begins; the first one is 1. */
  line: number
  /** Where the next row begins: an octet, and the line before it. */
  end: CsvPlace
}

/** A place between two rows of a file: how many octets and lines are before it. */
export interface CsvPlace {
  offset: number
  lines: number
}

/** Rows that were parsed together, none where there are only blank lines, and the place up to which the file was read. */
export interface CsvRows {
  rows: CsvRow[]
  end: CsvPlace
}

// A slice of the shortest rows takes milliseconds, in which nothing else runs.
const sliceBytes = 4 * 1024
const maxHeaderBytes = 64 * 1024
const maxRowBytes = 1024 * 1024
const maxRows = 1_000_000

/**
 * A CSV file as UTF-8 without a byte order mark; UTF-16 is recognised with and without one. Fails with VALIDATION_ERROR for an
 * empty file and for any other encoding.
 */
export function toUtf8(bytes: Buffer): Buffer {
  const text = decoded(bytes)
  const isEmpty = text.subarray(0, 1024).toString('utf8').trim() === '' && text.toString('utf8').trim() === ''
  if (isEmpty) throw refusal('CSV file is empty', 'empty_file')
  return text
}

function decoded(bytes: Buffer): Buffer {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return requireUtf8(bytes.subarray(3))
  const encoding = utf16Of(bytes)
  // TextDecoder leaves out the byte order mark.
  if (encoding) return Buffer.from(new TextDecoder(encoding).decode(bytes))
  return requireUtf8(bytes)
}

function utf16Of(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  // Of ASCII text, such as most names of columns, every second octet is 0.
  const [first, second, third, fourth] = bytes
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le'
  return first === 0 && second !== 0 && third === 0 && fourth !== 0 ? 'utf-16be' : undefined
}

function requireUtf8(bytes: Buffer): Buffer {
  if (isUtf8(bytes)) return bytes
  throw refusal('must be encoded as UTF-8 or UTF-16: in a spreadsheet, save it as "CSV UTF-8"', 'invalid_encoding')
}

/**
 * Requires that a row, the nth of its file, is one of the first 1,000,000: no file of 5 MB with an address in each row has more, as the
 * shortest address has 6 characters. Fails with VALIDATION_ERROR.
 */
export function requireRoomFor({ line }: CsvRow, nth: number): void {
  if (nth > maxRows)
    throw refusal(`The row that begins on line ${line} is one too many: a file has at most 1,000,000 rows`, 'too_many_rows')
}

/** The refusal of a file. */
export function refusal(message: string, code: string): Failure {
  return invalid('file', message, code)
}

/** What separates the cells of a file: the commonest of comma, semicolon and tab in its first line, outside quotes. */
export function delimiterOf(file: Buffer): string {
  const start = file.subarray(0, maxHeaderBytes).toString('utf8').trimStart()
  const counts: Record<string, number> = { ',': 0, ';': 0, '\t': 0 }
  let isQuoted = false
  for (const letter of start) {
    if (letter === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (letter === '\n' || letter === '\r') break
    else if (letter in counts) counts[letter] = (counts[letter] ?? 0) + 1
  }
  return Object.entries(counts).reduce((best, each) => (each[1] > best[1] ? each : best))[0]
}

/**
 * The rows of a file in UTF-8, from a place between two of them on, some at a time, read as they are asked for; blank lines are
 * skipped. `parts` are the bytes from that place on. Fails with VALIDATION_ERROR, after the rows before it, for a quotation mark
 * that is never closed and for a row of more than 1 MB.
 */
export async function* rowsOf(
  parts: AsyncIterable<Buffer> | Iterable<Buffer>,
  delimiter: string,
  from: CsvPlace = { offset: 0, lines: 0 },
): AsyncGenerator<CsvRows, void> {
  let rows: CsvRow[] = []
  let end = from
  // Collected as they are parsed: what a stream has buffered is lost when the next row breaks it.
  const onRecord = (cells: string[], { bytes }: InfoRecord): null => {
    const line = end.lines + 1
    // The library counts a line break of two characters twice.
    end = { offset: from.offset + bytes, lines: line + breaksIn(cells) }
    if (cells.length > 1 || cells[0]?.trim() !== '') rows.push({ cells, line, end })
    return null
  }
  for await (const error of parsed(parts, delimiter, onRecord)) {
    yield { rows, end }
    rows = []
    if (error) throw error instanceof CsvError ? unreadable(error, end.lines + 1) : error
  }
}

type OnRecord = (cells: string[], info: InfoRecord) => null

// Parses slice by slice, and yields the error of the last one.
async function* parsed(parts: AsyncIterable<Buffer> | Iterable<Buffer>, delimiter: string, onRecord: OnRecord) {
  const parser = parse({
    ...options,
    delimiter,
    on_record(cells: string[], info) {
      // Every row is like a first one, whose number of cells is right: for one of another length the library makes an error with
      // a stack, which `relax_column_count` drops, and which takes a hundred times as long as the row itself.
      Object.assign(parser.info, { records: 0 })
      return onRecord(cells, info)
    },
  })
  const failed = new Promise<unknown>((resolve) => parser.once('error', resolve))
  parser.resume()
  for await (const slice of slices(parts)) {
    const error = await Promise.race([failed, new Promise<void>((resolve) => parser.write(slice, () => resolve()))])
    yield error ?? parser.errored
    if (error || parser.errored) return
  }
  yield await Promise.race([failed, new Promise<void>((resolve) => parser.once('end', () => resolve()).end())])
}

const options: Options = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  max_record_size: maxRowBytes,
}

// Everything is in memory already: without a pause nothing else would run until the end of the file.
async function* slices(parts: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer, void> {
  for await (const part of parts) {
    for (let at = 0; at < part.length; at += sliceBytes) {
      await otherWork()
      yield part.subarray(at, at + sliceBytes)
    }
  }
}

function breaksIn(cells: string[]): number {
  return cells.reduce((sum, cell) => sum + (cell.includes('\n') || cell.includes('\r') ? (cell.match(/\r\n|\n|\r/g)?.length ?? 0) : 0), 0)
}

function unreadable(error: CsvError, line: number): Failure {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return refusal(`A quotation mark in the row that begins on line ${line} is never closed`, 'unclosed_quote')
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return refusal(`The row that begins on line ${line} has more than 1 MB, or a quotation mark in it is never closed`, 'row_too_large')
  return refusal(`The row that begins on line ${line} cannot be read: ${error.message}`, 'invalid_csv')
}
