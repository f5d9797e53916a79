import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Form, isMultipart, readForm, readFormInto } from '../../src/kit/multipart.ts'

const type = 'multipart/form-data; boundary=x'
const field = (name: string, value: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const file = (filename: string, text: string, contentType = 'image/png') =>
  `--x\r\nContent-Disposition: form-data; name="f"; filename="${filename}"\r\nContent-Type: ${contentType}\r\n\r\n${text}\r\n`
const end = '--x--\r\n'

const read = (body: string | Buffer, { maxFileBytes = 1_000, contentType = type } = {}): Promise<Form> =>
  readForm(Readable.from([Buffer.from(body)]), contentType, maxFileBytes)

describe('isMultipart', () => {
  test.each([
    [type, true],
    ['Multipart/Form-Data ; boundary="a b"', true],
    ['multipart/mixed; boundary=x', false],
    ['application/json', false],
    [undefined, false],
  ])('%s: %s', (contentType, expected) => expect(isMultipart(contentType)).toBe(expected))
})

describe('readForm', () => {
  test('returns fields and the first file; further files are skipped', async () => {
    const body = field('a', '1') + file('é.png', 'first') + field('b', 'ü') + file('b.gif', 'second', 'image/gif') + field('a', '2') + end
    expect(await read(body)).toEqual({
      fields: { a: '2', b: 'ü' },
      file: { filename: 'é.png', contentType: 'image/png', bytes: Buffer.from('first') },
    })
  })

  test('keeps a field called __proto__ a field', async () => {
    const { fields } = await read(field('__proto__', 'x') + end)
    expect(Object.entries(fields)).toEqual([['__proto__', 'x']])
  })

  test('takes a file and a field as large as they may be', async () => {
    const answer = await read(field('a', 'x'.repeat(65_536)) + file('a.png', 'x'.repeat(1_000)) + end)
    expect([answer.fields.a?.length, answer.file?.bytes.length]).toEqual([65_536, 1_000])
  })

  test('skips files where none are expected', async () => {
    expect(await read(file('a.png', 'x'.repeat(5_000)) + field('a', '1') + end, { maxFileBytes: 0 })).toEqual({ fields: { a: '1' } })
  })

  test('reads what a browser sends, in chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string({ minLength: 1 }).filter(isPlainName), fc.string({ unit: 'binary' }), { maxKeys: 5 }),
        fc.uint8Array({ maxLength: 500 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 20 }),
        async (fields, bytes, sizes) => {
          const form = new FormData()
          for (const [name, value] of Object.entries(fields)) form.append(name, value)
          form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'a.png')
          const sent = new Response(form)
          const contentType = sent.headers.get('content-type') ?? ''
          const whole = Buffer.from(await sent.arrayBuffer())
          const answer = await readForm(Readable.from(pieces(whole, sizes)), contentType, 1_000)
          expect(answer.file).toEqual({ filename: 'a.png', contentType: 'image/png', bytes: Buffer.from(bytes) })
          const normal = Object.entries(fields).map(([name, value]) => [name, value.toWellFormed().replace(/\r\n|\r|\n/g, '\r\n')])
          expect(Object.entries(answer.fields)).toEqual(normal)
        },
      ),
      { numRuns: 200 },
    )
  })

  test('ends, whatever large parts are skipped, in chunks of any size', async () => {
    const skipped = {
      file: (text: string) => file('b.gif', text),
      nameless: (text: string) => `--x\r\nContent-Type: text/csv\r\n\r\n${text}\r\n`,
      attachment: (text: string) => `--x\r\nContent-Disposition: attachment; name="a"\r\n\r\n${text}\r\n`,
    }
    const part = fc.tuple(fc.constantFrom(...Object.values(skipped)), fc.constantFrom(0, 1, 70_000, 300_000))
    const sizes = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), sizes, async (parts, cut) => {
        const body = file('a.png', 'x'.repeat(80_000)) + parts.map(([of, size]) => of('x'.repeat(size))).join('') + field('a', '1') + end
        const answer = await readForm(Readable.from(pieces(Buffer.from(body), cut)), type, 100_000)
        expect([answer.fields, answer.file?.bytes.length]).toEqual([{ a: '1' }, 80_000])
      }),
      { numRuns: 100 },
    )
  })

  test.each([
    ['a file one byte too large', file('a.png', 'x'.repeat(1_001)) + end, 'PAYLOAD_TOO_LARGE'],
    ['a field of 64 KB and a byte', field('a', 'x'.repeat(65_537)) + end, 'PAYLOAD_TOO_LARGE'],
    ['101 fields', field('a', 'x').repeat(101) + end, 'BAD_REQUEST'],
    ['text that is not a form', 'not a form at all', 'BAD_REQUEST'],
    ['nothing', '', 'BAD_REQUEST'],
    ['a form that ends in a file', file('a.png', 'xxx'), 'BAD_REQUEST'],
    ['a form that ends in a field', field('a', 'xxx'), 'BAD_REQUEST'],
    ['a form that ends in a header', `${field('a', '1')}--x\r\nContent-Dis`, 'BAD_REQUEST'],
  ])('refuses %s', async (_what, body, code) => {
    await expect(read(body)).rejects.toMatchObject({ code })
  })

  test.each([
    ['101 fields', field('a', 'x').repeat(101)],
    ['a field of 64 KB and a byte', field('a', 'x'.repeat(65_537))],
    ['201 parts', '--x\r\nX-A: b\r\n\r\n1\r\n'.repeat(201)],
  ])('stores no file after %s', async (_what, start) => {
    const files: Readable[] = []
    const store = (stored: Readable) => {
      files.push(stored)
      return stored.toArray()
    }
    const body = Readable.from([Buffer.from(start + file('a.png', 'x'.repeat(100_000)) + end)])
    await expect(readFormInto(body, type, { maxFileBytes: 200_000, store })).rejects.toMatchObject({
      code: expect.stringMatching(/^(BAD_REQUEST|PAYLOAD_TOO_LARGE)$/),
    })
    expect(files).toEqual([])
  })

  test.each(['multipart/form-data; charset=utf-8', 'multipart/form-data; boundary'])('refuses the type %s', async (contentType) => {
    await expect(read(field('a', '1') + end, { contentType })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('stops reading at the limit of the file', async () => {
    let produced = 0
    const source = Readable.from(
      (function* () {
        yield Buffer.from(file('a.png', 'x').slice(0, -2))
        for (; produced < 100; produced++) yield Buffer.alloc(16 * 1024)
      })(),
    )
    await expect(readForm(source, type, 100_000)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
    expect(produced).toBeLessThan(20)
  })

  test('fails as its source does', async () => {
    const source = new Readable({ read() {} })
    source.push(Buffer.from(field('a', '1')))
    const reading = readForm(source, type, 1_000)
    source.destroy(new Error('the connection is lost'))
    await expect(reading).rejects.toThrow('the connection is lost')
  })

  test('always returns or fails, whatever is sent', async () => {
    const whole = Buffer.from(field('a', '1') + file('a.png', 'bytes') + field('b', '2') + end)
    const piece = fc.oneof(
      fc.constantFrom('--x', '\r\n', '--x--', ...field('a', '1').split(' ')).map(Buffer.from),
      fc.uint8Array({ maxLength: 20 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), fc.array(piece, { maxLength: 8 }), fc.nat(whole.length), async (cut, rest, from) => {
        const answer = read(Buffer.concat([whole.subarray(0, cut), ...rest, whole.subarray(from)]))
        await answer.catch((error: unknown) =>
          expect(error).toMatchObject({ code: expect.stringMatching(/^(BAD_REQUEST|PAYLOAD_TOO_LARGE)$/) }),
        )
      }),
      { numRuns: 1_000 },
    )
  })
})

// Browsers escape quotes and line breaks in names, each in its own way.
function isPlainName(name: string): boolean {
  return /^[\w -]+$/.test(name)
}

function* pieces(bytes: Buffer, sizes: number[]): Generator<Buffer> {
  let at = 0
  for (let turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}
