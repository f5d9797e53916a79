// The yardstick of the delivery benchmark: nodemailer's own pool, sending messages that were composed before. With `signed` it
// adds a DKIM signature to each.
import nodemailer from 'nodemailer'
import { addressOf, htmlOf, senderDomain } from './payloads.ts'

const [, , port = '', mails = '0', connections = '8', mode = 'signed', kilobytes = '6'] = process.argv
const html = htmlOf(Number(kilobytes))
const from = `shop@${senderDomain}`
const text = 'Thank you for your order. We pack it today and write again when it leaves.\n'.repeat(7 * Number(kilobytes))

const transport = nodemailer.createTransport({
  host: '127.0.0.1',
  port: Number(port),
  secure: false,
  ignoreTLS: true,
  pool: true,
  maxConnections: Number(connections),
  maxMessages: Number.POSITIVE_INFINITY,
  ...(mode === 'signed' && { dkim: { domainName: senderDomain, keySelector: 'bench', privateKey: process.env.DKIM_KEY ?? '' } }),
})

async function ready(n: number) {
  const to = addressOf(n)
  const fields = { from, to, subject: `Your order ${n}`, html, text, messageId: `<${n}@${senderDomain}>` }
  const composed = await nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' }).sendMail(fields)
  return { envelope: { from, to }, raw: composed.message as Buffer }
}

const queue = await Promise.all(Array.from({ length: Number(mails) }, (_, n) => ready(n)))
process.send?.('ready')
process.once('message', async () => {
  const begin = performance.now()
  await Promise.all(queue.map((mail) => transport.sendMail(mail)))
  process.send?.({ perSecond: queue.length / ((performance.now() - begin) / 1000) })
  transport.close()
})
