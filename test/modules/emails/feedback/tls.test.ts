import { writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { renewCertificate, startReturnPath } from '../../../../src/modules/emails/feedback/receive.ts'
import { returnPathOf } from '../../../../src/modules/emails/feedback/return-path.ts'
import { certificate } from '../../../help/certificates.ts'
import { freshFolder } from '../../../help/folder.ts'
import { accept, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { dsn } from '../../../help/reports.ts'
import { testWorld } from '../../../help/world.ts'

const folder = await freshFolder()
const inFile = async (name: string, text: string | Buffer): Promise<string> => {
  await writeFile(join(folder, name), text)
  return join(folder, name)
}
const made = certificate('bounces.example.com')
const cert = await inFile('cert.pem', made.pem)
const key = await inFile('key.pem', made.key.export({ type: 'pkcs8', format: 'pem' }))
const env = { BOUNCE_PORT: '0', RETURN_PATH_HOST: 'bounces.example.com' }

/** Sends a command and waits for the whole answer. */
async function say(socket: Socket, line: string | Buffer | null): Promise<string> {
  const answered = new Promise<string>((resolve, reject) => {
    let text = ''
    const read = (piece: Buffer): void => {
      text += piece
      if (!/^\d{3} [^\n]*\n$/m.test(text.slice(text.lastIndexOf('\n', text.length - 2) + 1))) return
      socket.off('data', read)
      resolve(text)
    }
    socket.on('data', read)
    socket.once('error', reject)
  })
  if (line !== null) socket.write(typeof line === 'string' ? `${line}\r\n` : line)
  return answered
}

async function greeted(port: number | undefined): Promise<{ socket: Socket; features: string }> {
  const socket = connect(port ?? 0, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await say(socket, null)
  return { socket, features: await say(socket, 'EHLO mx.example.com') }
}

describe('the listener for bounces', () => {
  test('takes a bounce over an encrypted connection where it has a certificate', async () => {
    const world = await testWorld({ env: { ...env, EMAIL_TRANSPORT: 'capture', BOUNCE_TLS_CERT: cert, BOUNCE_TLS_KEY: key } })
    const receiver = await startReturnPath(world)
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    await turnAndSweep(world, 0)
    const { socket, features } = await greeted(receiver?.port)
    expect(features).toContain('STARTTLS')
    expect(await say(socket, 'STARTTLS')).toMatch(/^220 /)
    const secure = connectTls({ socket, ca: made.pem, checkServerIdentity: () => undefined })
    await new Promise((resolve, reject) => secure.once('secureConnect', resolve).once('error', reject))
    expect([secure.authorized, secure.getPeerCertificate().subject.CN]).toEqual([true, 'bounces.example.com'])
    expect(await say(secure, 'EHLO mx.example.com')).not.toContain('STARTTLS')
    await say(secure, 'MAIL FROM:<>')
    expect(await say(secure, 'RCPT TO:<ada@bounce.demo.test>')).toMatch(/^550 /)
    expect(await say(secure, `RCPT TO:<${returnPathOf(world, { projectId, id }, 'demo.test')}>`)).toMatch(/^250 /)
    expect(await say(secure, 'DATA')).toMatch(/^354 /)
    expect(await say(secure, Buffer.concat([dsn(), Buffer.from('\r\n.\r\n')]))).toMatch(/^250 /)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'BOUNCED', reason: '550 5.1.1 User unknown' })
  })

  test('uses a certificate that has been replaced from the next connection on, and the one before where the new one cannot be used', async () => {
    const replaced = await inFile('replaced.pem', made.pem)
    const world = await testWorld({ env: { ...env, BOUNCE_TLS_CERT: replaced, BOUNCE_TLS_KEY: key } })
    const receiver = await startReturnPath(world)
    if (!receiver) throw new Error('It does not listen')
    const shown = async () => {
      const { socket } = await greeted(receiver.port)
      await say(socket, 'STARTTLS')
      const secure = connectTls({ socket, rejectUnauthorized: false })
      await new Promise((resolve, reject) => secure.once('secureConnect', resolve).once('error', reject))
      return secure.getPeerCertificate().subject.CN
    }
    expect(await shown()).toBe('bounces.example.com')
    await inFile('replaced.pem', certificate('renewed.example.com', { key: made.key }).pem)
    await renewCertificate(world, receiver)
    expect(await shown()).toBe('renewed.example.com')
    await inFile('replaced.pem', 'nothing')
    await renewCertificate(world, receiver)
    expect(await shown()).toBe('renewed.example.com')
  })

  test('does not offer encryption without a certificate', async () => {
    const world = await testWorld({ env })
    const { socket, features } = await greeted((await startReturnPath(world))?.port)
    expect(features).not.toContain('STARTTLS')
    expect(await say(socket, 'STARTTLS')).toMatch(/^5\d\d /)
  })

  test.each([
    [
      'a file that does not exist',
      async () => ({ BOUNCE_TLS_CERT: join(folder, 'none.pem'), BOUNCE_TLS_KEY: key }),
      /^BOUNCE_TLS_CERT: the file cannot be read: ENOENT/,
    ],
    [
      'a file that is not a certificate',
      async () => ({ BOUNCE_TLS_CERT: await inFile('text.pem', 'hello'), BOUNCE_TLS_KEY: key }),
      /cannot be used together/,
    ],
    [
      'the key of another certificate',
      async () => {
        const other = certificate('other.example.com').key.export({ type: 'pkcs8', format: 'pem' })
        return { BOUNCE_TLS_CERT: cert, BOUNCE_TLS_KEY: await inFile('other.pem', other) }
      },
      /cannot be used together: .*key values mismatch/,
    ],
  ])('does not start with %s, and says which setting is wrong', async (_what, files, sentence) => {
    const world = await testWorld({ env: { ...env, ...(await files()) } })
    await expect(startReturnPath(world)).rejects.toThrow(sentence)
  })

  test('does not start with only one of both settings', async () => {
    await expect(testWorld({ env: { ...env, BOUNCE_TLS_CERT: cert } })).rejects.toThrow(
      /BOUNCE_TLS_CERT and BOUNCE_TLS_KEY: belong together/,
    )
  })
})
