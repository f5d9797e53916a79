import { describe, expect, test } from 'vitest'
import { createDns } from '../../src/kit/dns.ts'
import { testDns, txt } from '../help/dns.ts'

const server = await testDns()
const dns = createDns([server.address])

describe('lookUp', () => {
  test('joins the strings of a long TXT record', async () => {
    server.set('long.example', txt('v=DKIM1; p=', 'A'.repeat(255), 'B'.repeat(140)))
    expect(await dns.lookUp('TXT', 'long.example')).toEqual({
      kind: 'found',
      records: [`v=DKIM1; p=${'A'.repeat(255)}${'B'.repeat(140)}`],
    })
  })

  test('returns each type of record, with names in lower case', async () => {
    server.set(
      'all.example',
      { type: 'MX', exchange: 'MX.All.example', priority: 10 },
      { type: 'NS', value: 'ns.all.example' },
      { type: 'A', value: '192.0.2.7' },
      { type: 'AAAA', value: '2001:db8::7' },
    )
    expect(await dns.lookUp('MX', 'all.example')).toEqual({ kind: 'found', records: [{ exchange: 'mx.all.example', priority: 10 }] })
    expect(await dns.lookUp('NS', 'all.example')).toEqual({ kind: 'found', records: ['ns.all.example'] })
    expect(await dns.lookUp('A', 'all.example')).toEqual({ kind: 'found', records: ['192.0.2.7'] })
    expect(await dns.lookUp('AAAA', 'all.example')).toEqual({ kind: 'found', records: ['2001:db8::7'] })
  })

  test('returns a null MX (RFC 7505) with an empty host', async () => {
    server.set('null.example', { type: 'MX', exchange: '', priority: 0 })
    expect(await dns.lookUp('MX', 'null.example')).toEqual({ kind: 'found', records: [{ exchange: '', priority: 0 }] })
  })

  test('distinguishes a name without such a record from a name that does not exist', async () => {
    server.set('bare.example', { type: 'A', value: '192.0.2.7' })
    expect(await dns.lookUp('TXT', 'bare.example')).toEqual({ kind: 'none', nameExists: true })
    expect(await dns.lookUp('TXT', 'nothing.example')).toEqual({ kind: 'none', nameExists: false })
    expect(await dns.lookUp('TXT', `${'a'.repeat(70)}.example`)).toEqual({ kind: 'none', nameExists: false })
  })

  test.each([
    ['SERVFAIL', 'SERVFAIL'],
    ['REFUSED', 'REFUSED'],
    ['silence', 'no answer in time'],
  ] as const)('reports a failed look-up after %s', async (how, reason) => {
    server.set(`x.${how.toLowerCase()}.example`, txt('present'))
    server.break(`${how.toLowerCase()}.example`, how)
    expect(await dns.lookUp('TXT', `x.${how.toLowerCase()}.example`)).toEqual({ kind: 'unknown', reason })
  })

  test('waits as long for a slow name server after many quick answers as before them', async () => {
    server.set('slow.example', { type: 'A', value: '192.0.2.7' })
    server.break('slow.example', 1_200)
    for (let n = 0; n < 60; n++) await dns.lookUp('A', `quick${n}.example`)
    expect(await dns.lookUp('A', 'slow.example')).toEqual({ kind: 'found', records: ['192.0.2.7'] })
  })

  test('reports a failed look-up when nothing listens', async () => {
    expect(await createDns(['127.0.0.1:9']).lookUp('A', 'all.example')).toMatchObject({ kind: 'unknown' })
  })
})

describe('CNAME chains', () => {
  const chain = (at: Awaited<ReturnType<typeof testDns>>): void => {
    at.set('one.example', { type: 'CNAME', value: 'two.example' })
    at.set('two.example', { type: 'CNAME', value: 'three.example' })
    at.set('three.example', txt('reached'))
  }

  test('are followed to the record at their end', async () => {
    chain(server)
    expect(await dns.lookUp('TXT', 'one.example')).toEqual({ kind: 'found', records: ['reached'] })
    expect(await dns.lookUp('CNAME', 'one.example')).toEqual({ kind: 'found', records: ['two.example'] })
  })

  test('are followed also when the server returns one CNAME at a time', async () => {
    const links = await testDns({ followsAliases: false })
    chain(links)
    expect(await createDns([links.address]).lookUp('TXT', 'one.example')).toEqual({ kind: 'found', records: ['reached'] })
  })

  test('that never end are abandoned', async () => {
    const links = await testDns({ followsAliases: false })
    links.set('loop.example', { type: 'CNAME', value: 'pool.example' })
    links.set('pool.example', { type: 'CNAME', value: 'loop.example' })
    expect(await createDns([links.address]).lookUp('TXT', 'loop.example')).toEqual({
      kind: 'unknown',
      reason: 'more than 8 CNAME records in a row',
    })
    expect(links.questions.length).toBeLessThan(30)
  })
})
