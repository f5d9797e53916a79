import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { type CsvPlace, type CsvRow, type CsvRows, rowsOf } from '../../../src/kit/csv/csv.ts'
import { turnsDuring } from '../../help/turns.ts'

const kilobyte = 1024

async function read(text: string, from?: CsvPlace): Promise<CsvRows[]> {
  return Array.fromAsync(rowsOf([Buffer.from(text).subarray(from?.offset ?? 0)], ',', from))
}

const allOf = (parts: CsvRows[]): CsvRow[] => parts.flatMap(({ rows }) => rows)

describe('rowsOf', () => {
  test('skips blank lines and counts them, and the lines inside quotation marks', async () => {
    const rows = allOf(await read('email\n\r\n \n\r"a\r\nb\n",1\r\n\n,\nlast'))
    expect(rows.map(({ cells, line }) => [cells, line])).toEqual([
      [['email'], 1],
      [['a\r\nb\n', '1'], 5],
      [['', ''], 9],
      [['last'], 10],
    ])
  })

  test('says how far it has read also where there are only blank lines', async () => {
    const parts = await read('\n'.repeat(100 * kilobyte))
    const [first] = parts
    expect(allOf(parts)).toEqual([])
    expect(parts.length).toBeGreaterThan(10)
    expect([first?.end.offset, first?.end.lines]).toEqual([expect.any(Number), first?.end.offset])
    expect(first?.end.offset).toBeGreaterThan(kilobyte)
    expect(parts.at(-1)?.end).toEqual({ offset: 100 * kilobyte, lines: 100 * kilobyte })
  })

  test('takes rows of any length as they are, without an error of the parser for each', async () => {
    const made = vi.spyOn(Error, 'captureStackTrace')
    const rows = allOf(await read('a,b\n1\n1,2,3\n\n1,2\n'))
    // Other errors may be made meanwhile, such as those of connections that end.
    const ofParser = made.mock.calls.filter(([error]) => 'code' in error && String(error.code).startsWith('CSV_'))
    made.mockRestore()
    expect(ofParser).toEqual([])
    expect(rows.map(({ cells }) => cells)).toEqual([['a', 'b'], ['1'], ['1', '2', '3'], ['1', '2']])
  })

  test('can continue at every place that it names, with the same rows and lines', async () => {
    const piece = fc.constantFrom(
      '\n',
      '\r\n',
      '\r',
      ' \n',
      'a,b\n',
      'é,"x\r\ny"\n',
      '"\n"\n',
      '"a""b"\r',
      '\n'.repeat(5_000),
      `${'x'.repeat(5_000)}\n`,
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const text = pieces.join('')
        const parts = await read(text)
        const rows = allOf(parts)
        const places = [...rows, ...parts].map(({ end }) => end)
        for (const end of places) {
          const rest = allOf(await read(text, end))
          expect(rest).toEqual(rows.filter((row) => row.end.offset > end.offset))
        }
      }),
      { numRuns: 30 },
    )
  })

  test.each([
    ['blank lines', '\n'],
    ['rows of one letter', 'x\n'],
    ['rows', `${'x'.repeat(60)}@example.com,1,2\n`],
  ])('lets others work about every 4 KB of %s', async (_what, row) => {
    const size = 512 * kilobyte
    const text = row.repeat(Math.ceil(size / row.length))
    expect(await turnsDuring(() => read(text))).toBeGreaterThan(size / (5 * kilobyte))
  })
})
