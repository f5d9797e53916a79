import { createHmac, hkdfSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createVault } from '../../src/kit/vault.ts'

const secret = 'a secret of an installation'
const vault = createVault(secret)

describe('a token', () => {
  test('has the first 16 bytes of the HMAC-SHA256 that Node computes, whatever its purpose and payload', () => {
    const key = Buffer.from(hkdfSync('sha256', secret, 'postwire', 'sign', 32))
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string({ unit: 'binary', maxLength: 200 })), (purpose, payload) => {
        const [body = '', mark] = vault.sign(purpose, payload).split('.')
        const mac = createHmac('sha256', key).update(`${purpose}\n${body}`).digest().subarray(0, 16)
        expect(mark).toBe(mac.toString('base64url'))
      }),
    )
  })

  test('is read for its purpose only, and not once it was changed', () => {
    const token = vault.sign('page', ['a', 'b'])
    expect(vault.verify('page', token)).toEqual(['a', 'b'])
    expect(vault.verify('other', token)).toBeNull()
    expect(vault.verify('page', `${token.slice(0, -2)}AA`)).toBeNull()
    expect(vault.verify('page', `${token}.more`)).toBeNull()
    expect(createVault('another secret').verify('page', token)).toBeNull()
  })
})

describe('what is sealed', () => {
  test('says that it is, and is opened for its purpose only', () => {
    const sealed = vault.seal('key', 'sk_1')
    expect(sealed).toMatch(/^sealed:[A-Za-z0-9+/]+=*$/)
    expect(sealed).not.toBe(vault.seal('key', 'sk_1'))
    expect(vault.open('key', sealed)).toBe('sk_1')
    expect(() => vault.open('dkim', sealed)).toThrow()
    expect(() => createVault('another secret').open('key', sealed)).toThrow()
    expect(() => vault.open('key', `${sealed.slice(0, -4)}AAAA`)).toThrow()
  })

  test('is opened without its mark too, as it was stored before there was one', () => {
    expect(vault.open('key', vault.seal('key', 'sk_1').replace('sealed:', ''))).toBe('sk_1')
  })
})
