import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A certificate and the key that it is about. */
export interface TestCertificate {
  pem: string
  key: KeyObject
}

const dayMs = 86_400_000

/** A self-signed certificate (RFC 5280, version 1) for a name, valid for ten years unless `days` says otherwise. */
export function certificate(
  name: string,
  { from = -1, to = 3_650, key: privateKey = newKey() }: { from?: number; to?: number; key?: KeyObject } = {},
): TestCertificate {
  const publicKey = createPublicKey(privateKey)
  const subject = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))))
  const algorithm = sequence(oid('2a864886f70d01010b'), der(0x05))
  const validity = sequence(time(from), time(to))
  const content = sequence(
    der(0x02, Buffer.from([1])),
    algorithm,
    subject,
    validity,
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', content, privateKey)]))
  const base64 = sequence(content, algorithm, signature).toString('base64')
  const lines = base64.match(/.{1,64}/g)?.join('\n')
  return { pem: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`, key: privateKey }
}

const newKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts)
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function time(days: number): Buffer {
  const text = new Date(Date.now() + days * dayMs).toISOString().replace(/[-:T]|\.\d+/g, '')
  return der(0x18, Buffer.from(text))
}
