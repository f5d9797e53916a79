import type { SESv2Client } from '@aws-sdk/client-sesv2'
import type { Config } from '../config.ts'

/** The settings of Amazon SES. */
export type SesConfig = Pick<
  Config,
  'SES_REGION' | 'SES_ENDPOINT' | 'SES_ACCESS_KEY_ID' | 'SES_SECRET_ACCESS_KEY' | 'SES_CONFIGURATION_SET'
>

/** The package of the client, loaded on first use: it is large, and most installations do not need it. */
export const sdk = (): Promise<typeof import('@aws-sdk/client-sesv2')> => import('@aws-sdk/client-sesv2')

/** How a client asks. */
export interface SesPlan {
  /** How often at most, while SES does not answer, or is asked too often. */
  maxAttempts: number
  /** How many calls at the same time; further ones wait. Default: 50. */
  maxSockets?: number
  /** How long it may take to connect, or to wait for its turn, in ms. Default: 3,000. */
  connectMs?: number
  /** How long a call may take until its answer begins, in ms; 0 for whoever ends it by a signal. Default: 30,000. */
  answerMs?: number
}

/** A client of the API of SES (version 2). */
export async function openClient(
  config: SesConfig,
  { maxAttempts, maxSockets = 50, connectMs = 3_000, answerMs = 30_000 }: SesPlan,
): Promise<SESv2Client> {
  const { SESv2Client } = await sdk()
  const { SES_ACCESS_KEY_ID: accessKeyId, SES_SECRET_ACCESS_KEY: secretAccessKey } = config
  return new SESv2Client({
    region: config.SES_REGION,
    maxAttempts,
    // Whoever asks is told of every error, and logs it.
    logger: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets },
      httpsAgent: { keepAlive: true, maxSockets },
    },
    ...(config.SES_ENDPOINT && { endpoint: config.SES_ENDPOINT }),
    // Without keys the SDK uses those of the machine's role.
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
  })
}

const nothing = (): void => {}

/** An error of the client: `name` is the code of SES or the kind of a failure, `code` that of the system. */
export interface SesError extends Error {
  code?: string
  $metadata?: { httpStatusCode?: number }
}

/** An error as one line of at most 500 characters. */
export function textOf({ name, message }: SesError): string {
  return `${name}: ${message}`
    .replace(/[\s\0]+/g, ' ')
    .trim()
    .slice(0, 500)
    .toWellFormed()
}
