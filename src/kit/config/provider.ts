import { z } from 'zod'
import { commaList, port } from './types.ts'

const topic = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}(\.fifo)?$/
const certificateUrl = 'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-….pem'

/** The settings of Amazon SES, and of what is reported about emails after they were sent. */
export const providerSettings = {
  BOUNCE_PORT: port
    .optional()
    .describe(
      'Workers receive bounces and spam reports over SMTP at this port (usually 25), and emails of every sender domain whose RETURN_PATH record is verified get a signed return path at `bounce.<domain>`. Needs RETURN_PATH_HOST. Default: off.',
    ),
  BOUNCE_TLS_CERT: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Path of a file with the certificate of RETURN_PATH_HOST in PEM, followed by those that it was issued with: mail servers may then encrypt what they send to BOUNCE_PORT (STARTTLS). It is read at start and every hour. Needs BOUNCE_TLS_KEY. Default: unencrypted.',
    ),
  BOUNCE_TLS_KEY: z.string().min(1).optional().describe('Path of a file with the private key of BOUNCE_TLS_CERT in PEM.'),
  SNS_TOPIC_ARNS: z
    .string()
    .default('')
    .transform(commaList)
    .refine((topics) => topics.every((one) => topic.test(one)), { error: 'must be ARNs such as arn:aws:sns:us-east-1:123456789012:ses' })
    .describe(
      'Comma-separated ARNs of the SNS topics with which Amazon SES reports deliveries, bounces, complaints and incoming email to POST /webhooks/sns. Without it that endpoint does not exist.',
    ),
  SNS_CERTIFICATE: z
    .string()
    .transform((pem) => pem.replaceAll('\\n', '\n'))
    .refine((pem) => pem.includes('-----BEGIN CERTIFICATE-----'), { error: 'must be a certificate in PEM' })
    .optional()
    .describe('The certificate at SNS_CERTIFICATE_URL in PEM, line breaks as `\\n`. Default: certificates are fetched from Amazon.'),
  SNS_CERTIFICATE_URL: z
    .url({ protocol: /^https$/ })
    .optional()
    .describe(`The address that messages signed with SNS_CERTIFICATE name as theirs, such as \`${certificateUrl}\`.`),
  SES_REGION: z
    .string()
    .regex(/^[a-z]{2,4}(-[a-z]+)+-\d+$/, 'must be a region such as eu-central-1')
    .default('us-east-1')
    .describe('Region of Amazon SES, with EMAIL_TRANSPORT=ses.'),
  SES_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Another address of the SES API (v2), such as a local stand-in. Default: Amazon SES in SES_REGION.'),
  SES_ACCESS_KEY_ID: z.string().min(1).optional().describe('Access key for SES. Without it the role of the machine is used.'),
  SES_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('The secret of SES_ACCESS_KEY_ID.'),
  SES_CONFIGURATION_SET: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'must be the name of a configuration set')
    .optional()
    .describe(
      'Configuration set of every email that is sent with EMAIL_TRANSPORT=ses; its event destination should be a topic of SNS_TOPIC_ARNS. It should not track opens and clicks: Postwire does.',
    ),
}
