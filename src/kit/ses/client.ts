import type { SESv2Client } from '@aws-sdk/client-sesv2'
import type { Config } from '../config.ts'

/** The settings of Amazon SES. */
export type SesConfig = Pick<
  Config,
  'SES_REGION' | 'SES_ENDPOINT' | 'SES_ACCESS_KEY_ID' | 'SES_SECRET_ACCESS_KEY' | 'SES_CONFIGURATION_SET'
>

const connectMs = 3_000
const answerMs = 30_000

/** The package of the client, loaded on first use: it is large, and most installations do not need it. */
export const sdk = (): Promise<typeof import('@aws-sdk/client-sesv2')> => import('@aws-sdk/client-sesv2')

/** A client of the API of SES (version 2), which asks at most so often while SES does not answer, or is asked too often. */
export async function openClient(config: SesConfig, maxAttempts: number): Promise<SESv2Client> {
  const { SESv2Client } = await sdk()
  const { SES_ACCESS_KEY_ID: accessKeyId, SES_SECRET_ACCESS_KEY: secretAccessKey } = config
  return new SESv2Client({
    region: config.SES_REGION,
    maxAttempts,
    requestHandler: { connectionTimeout: connectMs, requestTimeout: answerMs, throwOnRequestTimeout: true },
    ...(config.SES_ENDPOINT && { endpoint: config.SES_ENDPOINT }),
    // Without keys the SDK uses those of the machine's role.
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
  })
}

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
