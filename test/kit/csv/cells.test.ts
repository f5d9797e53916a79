import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellOfValue, textOfCell, valueOfCell } from '../../../src/kit/csv/cells.ts'
import type { Json } from '../../../src/kit/shapes.ts'

const parsed = (line: string): string[] => (parse(line, { relax_quotes: true })[0] as string[] | undefined) ?? ['']

describe('a cell', () => {
  test.each<[string, Json]>([
    ['12', 12],
    [' -0.50 ', -0.5],
    ['1e+21', 1e21],
    ['true', true],
    ['FALSE', false],
    ['{"a":[1]}', { a: [1] }],
    ['007', '007'],
    ['1e5', '1e5'],
    ['+49 30', '+49 30'],
    ['12345678901234567890', '12345678901234567890'],
    ['Infinity', 'Infinity'],
    ['2026-01-31', '2026-01-31'],
    ['[draft]', '[draft]'],
    ['{"a":"\\u0000"}', '{"a":"\\u0000"}'],
    ["'12", '12'],
    ["'=1+1", '=1+1'],
    ["'tis", "'tis"],
    ["'007", "'007"],
  ])('%s stands for %j', (cell, value) => {
    expect(valueOfCell(cell)).toEqual(value)
  })

  test.each(['=cmd|calc', '+1', '-1+1', '@SUM(1)', '\tx', '\rx', "'=1"])(
    'of text that begins like a formula has an apostrophe first: %j',
    (text) => {
      expect(cellOfValue(text)).toMatch(/^"?'/)
      expect(textOfCell(parsed(cellOfValue(text))[0] as string)).toBe(text)
    },
  )

  test('gives back the value it was made of, whatever it is', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^'*[=+\-@]?['" ,;\d.eE+\-[\]{}trufalse\n]*$/),
      fc.integer().map(String),
      fc.double().map(String),
    )
    const value = fc.oneof(
      text,
      fc.boolean(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.array(fc.integer()),
      fc.dictionary(fc.string(), fc.string()),
    )
    fc.assert(
      fc.property(value, (one) => {
        // A contact has neither empty text nor text that cannot be stored, and JSON has no -0.
        fc.pre(
          one !== '' &&
            !JSON.stringify(one).includes('\\u0000') &&
            JSON.stringify(one).isWellFormed() &&
            !/\\ud[89a-f]/.test(JSON.stringify(one)),
        )
        const stored = JSON.parse(JSON.stringify(one)) as Json
        expect(valueOfCell(parsed(`${cellOfValue(stored)},x`)[0] as string)).toEqual(stored)
      }),
      { numRuns: 3_000 },
    )
  })
})

test('a text of very many apostrophes is a cell, and is read as it was', () => {
  const text = "'".repeat(200_000)
  expect(textOfCell(cellOfValue(text))).toBe(text)
})
