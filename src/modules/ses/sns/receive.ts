import { type Ctx, callIn } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { whyTooComplex } from '../../../kit/json-limits.ts'
import { networkOf } from '../../../kit/networks.ts'
import { OutboundError } from '../../../kit/outbound.ts'
import { isTransient } from '../../../kit/postgres/db.ts'
import { handleNotification, type ReceivedMessage } from '../notifications/handle.ts'
import { SnsMessage } from '../shapes.ts'
import { handleOnce } from './once.ts'
import { isSignedByAmazon, parseSnsUrl } from './signature.ts'

const maxAgeMs = 3_600_000

/**
 * The message of a call of Amazon SNS. Fails with UNKNOWN_ROUTE where no topic is configured; with FORBIDDEN for one that is not of a
 * configured topic, not signed by Amazon, or more than an hour old; with SERVICE_UNAVAILABLE when it cannot be verified at present, so
 * that Amazon calls again.
 */
export async function verifySnsMessage(ctx: Ctx, { raw }: { raw: Buffer }): Promise<SnsMessage> {
  if (ctx.config.SNS_TOPIC_ARNS.length === 0) throw new Failure('UNKNOWN_ROUTE')
  const message = readMessage(raw)
  if (!message || !isExpected(ctx, message)) throw refused()
  const isSigned = await isSignedByAmazon(ctx.world, message, networkOf(ctx.client.address)).catch(reported)
  if (!isSigned) throw refused()
  return message
}

/**
 * Handles a message of Amazon SNS, which is verified, once. Fails with RESOURCE_NOT_FOUND for an email that is not known yet, and with
 * SERVICE_UNAVAILABLE when it cannot be stored at present, so that Amazon calls again.
 */
export async function receiveSnsMessage({ world, requestId }: Ctx, message: SnsMessage): Promise<{ success: true }> {
  const system = callIn(world, { actor: { kind: 'system' }, requestId })
  const once = { id: message.MessageId, handle: (receivedAt: Date) => handlers[message.Type](system, { ...message, receivedAt }) }
  if ((await handleOnce(world, once).catch(reported)) === 'busy') throw unavailable('The same message is being handled at the moment.')
  return { success: true }
}

function reported(error: unknown): never {
  if (error instanceof OutboundError) throw error.kind === 'forbidden' ? refused() : unavailable(error.message)
  throw isTransient(error) ? unavailable('The message could not be stored at the moment.') : error
}

function readMessage(raw: Buffer): SnsMessage | null {
  if (whyTooComplex(raw)) return null
  try {
    return SnsMessage.safeParse(JSON.parse(raw.toString('utf8'))).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function isExpected({ config, clock }: Ctx, { TopicArn, Timestamp }: SnsMessage): boolean {
  const ageMs = clock.now().getTime() - Date.parse(Timestamp)
  return config.SNS_TOPIC_ARNS.includes(TopicArn) && Math.abs(ageMs) <= maxAgeMs
}

function refused(): Failure {
  return new Failure('FORBIDDEN', 'This is not a recent message of a configured topic that Amazon has signed.', {
    suggestion: 'Only Amazon SNS calls this. SNS_TOPIC_ARNS must have the ARN of the topic.',
  })
}

function unavailable(message: string): Failure {
  return new Failure('SERVICE_UNAVAILABLE', message, {
    suggestion: 'Call again in 10 seconds.',
    headers: { 'Retry-After': '10' },
  })
}

const handlers: Record<SnsMessage['Type'], (ctx: Ctx, message: ReceivedMessage) => Promise<void>> = {
  Notification: handleNotification,
  SubscriptionConfirmation: confirmSubscription,
  UnsubscribeConfirmation: reportUnsubscribed,
}

const confirmLimits = { maxBytes: 100_000, timeoutMs: 10_000 }

// What is called is signed, and yet only ever the address at Amazon that confirms this topic.
async function confirmSubscription({ world, log }: Ctx, { SubscribeURL, TopicArn }: SnsMessage): Promise<void> {
  const url = parseSnsUrl(SubscribeURL ?? '')
  const asked = url?.searchParams
  if (!url || asked?.get('Action') !== 'ConfirmSubscription' || asked.get('TopicArn') !== TopicArn) throw refused()
  await world.outbound.get(url.href, confirmLimits)
  log.info({ topic: TopicArn }, 'ses: the subscription of a topic is confirmed')
}

async function reportUnsubscribed({ log }: Ctx, { TopicArn }: SnsMessage): Promise<void> {
  log.warn({ topic: TopicArn }, 'ses: a topic has been unsubscribed; Amazon SES reports nothing through it any more')
}
