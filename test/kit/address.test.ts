import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asciiAddress, emailAddress, partOfAddress } from '../../src/kit/address.ts'
import { EmailAddress } from '../../src/kit/shapes.ts'

const x = (length: number) => 'x'.repeat(length)

describe('an email address', () => {
  test.each([
    ['  Ada@Example.COM ', 'ada@example.com'],
    ['!#$%&`*+/=?^`{|}~@iana.org', '!#$%&`*+/=?^`{|}~@iana.org'],
    ["o'hara.j+news@mail.example.co", "o'hara.j+news@mail.example.co"],
    [`${x(64)}@example.com`, `${x(64)}@example.com`],
    [`a@${x(63)}.example`, `a@${x(63)}.example`],
    ['ada@bücher.example', 'ada@bücher.example'],
    ['ada@BÜCHER.example', 'ada@bücher.example'],
    ['ada@xn--bcher-kva.example', 'ada@bücher.example'],
    ['ada@例え.テスト', 'ada@例え.テスト'],
  ])('%j is stored as %j', (given, stored) => {
    expect(EmailAddress.parse(given)).toBe(stored)
  })

  test.each([
    'test@iana-.com',
    'test@-iana.com',
    `a@${x(64)}.example`,
    `a@${x(65)}.example`,
    `${x(65)}@example.com`,
    `a@${Array(5).fill(x(60)).join('.')}`,
    '.a@example.com',
    'a.@example.com',
    'a..b@example.com',
    'a b@example.com',
    '"a"@example.com',
    'ä@example.com',
    '\u212a@example.com',
    'a@example',
    'a@example.com.',
    'a@exa mple.com',
    'a@[192.0.2.1]',
    'a@192.0.2.1',
    'a@b@example.com',
    'a\0@example.com',
    'a\r\n@example.com',
    'a@ example.com',
    'a@\nexample.com',
    'a@\r\n example.com',
    'a@\u00a0example.com',
    'a@\u3000example.com',
    'a@\ufeffexample.com',
    'a@\texample.com',
    'a@example .com',
    'a @example.com',
    '@example.com',
    'a@',
    '',
  ])('%j is refused', (given) => {
    expect(EmailAddress.safeParse(given).error?.issues).toMatchObject([
      { code: 'invalid_format', message: expect.stringMatching(/must be/) },
    ])
  })
})

describe('an international domain', () => {
  test.each([
    ['paral·lel.cat', 'xn--parallel-koa.cat'],
    ['PARAL·LEL.cat', 'xn--parallel-koa.cat'],
    ['アー・ト.jp', 'xn--cckzd0gd.jp'],
    ['ｱｰ･ﾄ.jp', 'xn--cckzd0gd.jp'],
    ['בג״ץ.com', 'xn--5dbc1dzc.com'],
    ['א׳.com', 'xn--4db4e.com'],
    ['ω͵α.gr', 'xn--wva4juc.gr'],
    ['نامه\u200cای.com', 'xn--mgba3gch31f060k.com'],
    ['क्\u200dष.com', 'xn--11b2ezcw70k.com'],
    ['例え。jp', 'xn--r8jz45g.jp'],
    ['例え．jp', 'xn--r8jz45g.jp'],
    ['例え｡jp', 'xn--r8jz45g.jp'],
    ['faß.de', 'xn--fa-hia.de'],
    ['a.рф', 'a.xn--p1ai'],
  ])('is one address, spelled %s or %s', (unicode, ascii) => {
    const stored = emailAddress(`ada@${unicode}`)
    expect(stored).not.toBeNull()
    expect(emailAddress(`ada@${ascii}`)).toBe(stored)
    expect(emailAddress(`ada@${ascii.toUpperCase()}`)).toBe(stored)
    expect(stored).not.toContain('xn--')
    expect(asciiAddress(stored ?? '')).toBe(`ada@${ascii}`)
  })

  test.each([
    ['a dot that is none', 'paypal·com.cat', 'xn--paypalcom-5pa.cat'],
    ['a slash that is none', 'example.com⁄x.net', 'example.xn--comx-2g7a.net'],
    ['a katakana dot among Latin letters', 'a・b.jp', 'xn--ab-3n4a.jp'],
    ['a Hebrew mark among Latin letters', 'a׳.com', 'xn--a-0jc.com'],
    ['a joiner where no script needs it', 'a\u200db.com', 'xn--ab-m1t.com'],
    ['letters of both directions', 'aא.com', 'xn--a-0hc.com'],
    ['a mark that turns the direction', 'a\u202eb.com', 'xn--ab-g4t.com'],
    ['a sign that nobody sees', 'a\u200bb.com', 'xn--ab-i1t.com'],
    ['a hyphen that nobody sees', 'a\u00adb.com', 'xn--ab-5da.com'],
    ['a picture', 'i❤.ws', 'xn--i-7iq.ws'],
    ['punycode of another one', 'xn--é.com', 'xn--xn---epa.com'],
    ['a name that is no punycode', 'xn--abc.com', 'xn--abc.com'],
  ])('is refused in both spellings with %s', (_what, unicode, ascii) => {
    expect([emailAddress(`ada@${unicode}`), emailAddress(`ada@${ascii}`)]).toEqual([null, null])
  })

  test.each([
    ['ΣΑΣ', 'σασ'],
    ['αΣक्', 'ασक्'],
    ['σας', 'σας'],
  ])('%s is %s: a Greek sigma is lower-cased like any letter, at the end of a word as well (UTS 46)', (spelled, name) => {
    const stored = `ada@${name}.example`
    expect([emailAddress(`ada@${spelled}.example`), emailAddress(`ada@${domainToASCII(`${spelled}.example`)}`)]).toEqual([stored, stored])
    expect(stored).toContain(partOfAddress(spelled))
  })

  test('with any letter or sign is taken in both spellings or in neither', () => {
    const beside = fc.constantFrom('', 'a', 'l', 'א', 'ア', 'α', 'ن', 'क्')
    fc.assert(
      fc.property(beside, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 2 }), beside, (before, inside, after) => {
        const stored = emailAddress(`ada@${before}${inside}${after}.example`)
        const ascii = domainToASCII(`${before}${inside}${after}.example`)
        if (stored !== null) expect([emailAddress(`ada@${ascii}`), emailAddress(stored)]).toEqual([stored, stored])
        const other = emailAddress(`ada@${ascii}`)
        if (other !== null) expect(emailAddress(other)).toBe(other)
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('for every address', () => {
  const atom = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,20}$/)
  const local = fc.array(atom, { minLength: 1, maxLength: 3 }).map((atoms) => atoms.join('.'))
  const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/).filter((one) => !/^..--/.test(one))
  const international = fc.stringMatching(/^[a-zäöüßéèçñøåαβγδабвгд]{1,12}$/)
  const domain = fc
    .tuple(fc.array(fc.oneof(label, international), { minLength: 1, maxLength: 3 }), fc.constantFrom('com', 'test', 'рф', 'example'))
    .map(([labels, top]) => [...labels, top].join('.'))

  test('the rule accepts it, stores it in one form however it is spelled, and sends that in ASCII', () => {
    fc.assert(
      fc.property(local, domain, (name, host) => {
        const stored = emailAddress(`${name}@${host}`)
        expect(stored).not.toBeNull()
        const spellings = [
          ` ${name}@${host}\t`,
          `${name.toUpperCase()}@${host.toUpperCase()}`,
          `${name}@${domainToASCII(host)}`,
          stored ?? '',
        ]
        // Upper case has no single spelling of ß, which is a letter of its own (UTS 46, non-transitional).
        for (const spelling of host.includes('ß') ? spellings.slice(2) : spellings) expect(emailAddress(spelling)).toBe(stored)
        expect(asciiAddress(stored ?? '')).toBe(`${name.toLowerCase()}@${domainToASCII(host)}`)
      }),
      { numRuns: 2_000 },
    )
  })

  test('anything that is accepted obeys the rule', () => {
    const piece = fc.oneof(local, domain, fc.constantFrom('@', '.', '-', ' ', '\0', '"', '。'), fc.string({ unit: 'binary', maxLength: 5 }))
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (pieces) => {
        const stored = emailAddress(pieces.join(''))
        if (stored === null) return
        const [name = '', host = '', ...rest] = asciiAddress(stored).split('@')
        expect(rest).toEqual([])
        expect(name).toMatch(/^(?!\.)(?!.*\.\.)[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}(?<!\.)$/)
        expect(host.length).toBeLessThanOrEqual(253)
        expect(host.split('.').length).toBeGreaterThanOrEqual(2)
        for (const one of host.split('.')) expect(one).toMatch(/^(?!-)[a-z0-9-]{1,63}(?<!-)$/)
        expect(emailAddress(stored)).toBe(stored)
      }),
      { numRuns: 5_000 },
    )
  })
})

test('a part of an address is made ready in a time that grows with its length', () => {
  const before = process.threadCpuUsage()
  expect(partOfAddress('xn--a.'.repeat(40_000))).toHaveLength(240_000)
  // Looking for an @ behind each label would take this thread about ten seconds.
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(4_000)
})

test('a part of more characters than any address has is not put in order, which would take seconds', () => {
  const marks = '\u0301'.repeat(30_000) + '\u0316'.repeat(30_000)
  expect(partOfAddress(`A${marks}`)).toBe(`a${marks}`)
  expect(partOfAddress('A\u0301\u0316')).toBe('A\u0301\u0316'.toLowerCase().normalize('NFC'))
})
