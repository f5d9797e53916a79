import type { World } from '../../../kit/world.ts'
import { receiveEmail } from '../../emails/inbound/receive.ts'
import type { SesMail, SesReceipt } from '../shapes.ts'

/** What Amazon SES reports about an email that it has received. */
export interface SesReceived {
  mail: SesMail
  receipt: SesReceipt
  content?: string | null | undefined
}

const verdicts = ['spamVerdict', 'virusVerdict', 'spfVerdict', 'dkimVerdict', 'dmarcVerdict'] as const

/** Stores an email that Amazon SES has received for domains of projects. */
export async function receiveSesEmail(world: World, { mail, receipt, content }: SesReceived): Promise<void> {
  const { commonHeaders: headers, messageId = '', source = '' } = mail
  const encoding = receipt.action?.encoding?.toUpperCase() === 'BASE64' ? 'base64' : 'utf8'
  await receiveEmail(world, {
    providerId: messageId,
    // Of the receipt, each rule and each repetition has its own.
    at: mail.timestamp,
    source,
    recipients: receipt.recipients,
    fromHeader: (headers.from ?? []).join(', '),
    toHeader: (headers.to ?? []).join(', '),
    subject: headers.subject ?? '',
    content: content ? Buffer.from(content, encoding) : null,
    verdicts: Object.fromEntries(verdicts.map((name) => [name, receipt[name]?.status ?? null])),
    processingTimeMillis: receipt.processingTimeMillis ?? null,
  })
}
