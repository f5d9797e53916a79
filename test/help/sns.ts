import { randomUUID, sign } from 'node:crypto'
import type { Clock } from '../../src/kit/clock.ts'
import type { SnsMessage } from '../../src/modules/ses/shapes.ts'
import { signedText } from '../../src/modules/ses/sns/signature.ts'
import { certificate, type TestCertificate } from './certificates.ts'

/** The topic of a test installation. */
export const topicArn = 'arn:aws:sns:us-east-1:123456789012:ses'
/** Where the certificate of test messages is said to be. */
export const certificateUrl = 'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem'

/** What signs messages as Amazon SNS does. */
export interface SnsTwin {
  /** The settings of an installation that takes its messages, without the network. */
  env: Record<string, string>
  certificate: TestCertificate
  /** A signed message as the body of a call; `fields` are signed as well. */
  body(clock: Clock, fields?: Partial<SnsMessage>): string
  /** A notification of Amazon SES as such a body. */
  notification(clock: Clock, notification: object): string
}

/** A stand-in for Amazon SNS with a certificate of its own. */
export function snsTwin(): SnsTwin {
  const own = certificate('sns.amazonaws.com')
  const body = (clock: Clock, fields: Partial<SnsMessage> = {}): string => JSON.stringify(signedMessage(own, clock, fields))
  return {
    env: { SNS_TOPIC_ARNS: topicArn, SNS_CERTIFICATE: own.pem, SNS_CERTIFICATE_URL: certificateUrl },
    certificate: own,
    body,
    notification: (clock, notification) => body(clock, { Message: JSON.stringify(notification) }),
  }
}

/** A message that the holder of a certificate has signed. */
export function signedMessage({ key }: Pick<TestCertificate, 'key'>, clock: Clock, fields: Partial<SnsMessage> = {}): SnsMessage {
  const message: SnsMessage = {
    Type: 'Notification',
    MessageId: randomUUID(),
    TopicArn: topicArn,
    Message: '{}',
    Timestamp: clock.now().toISOString(),
    SignatureVersion: '2',
    SigningCertURL: certificateUrl,
    ...fields,
    Signature: '',
  }
  const digest = message.SignatureVersion === '1' ? 'sha1' : 'sha256'
  return { ...message, Signature: sign(digest, Buffer.from(signedText(message)), key).toString('base64'), ...(fields.Signature && fields) }
}

/** An email as the notifications of Amazon SES name it. */
export function sesMail(
  clock: Clock,
  { emailId, projectId, sentAgoMs = 0 }: { emailId: string; projectId?: string; sentAgoMs?: number },
): object {
  return {
    timestamp: new Date(clock.now().getTime() - sentAgoMs).toISOString(),
    messageId: '0102018f00000000-00000000',
    source: 'hello@demo.test',
    destination: ['ada@example.com'],
    headers: [
      { name: 'From', value: 'hello@demo.test' },
      { name: 'Message-ID', value: `<${emailId}@demo.test>` },
    ],
    ...(projectId && { tags: { 'postwire-project': [projectId], 'postwire-email': [emailId] } }),
  }
}
