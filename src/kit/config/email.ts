import { z } from 'zod'
import { commaList, count, flag, hostName, isNameServer } from './types.ts'

/** How outgoing email leaves. */
export type TransportKind = 'capture' | 'null' | 'ses' | 'smtp'

const named = ['capture', 'null', 'ses'] as const

/** What a value of EMAIL_TRANSPORT means: anything but a name is the URL of a mail server. */
export function transportKindOf(value: string): TransportKind {
  return named.find((kind) => kind === value) ?? 'smtp'
}

/** The settings of email: how it leaves, how fast, and the DNS records of sender domains. */
export const emailSettings = {
  EMAIL_TRANSPORT: z
    .string()
    .regex(new RegExp(`^(${named.join('|')}|smtps?://.+)$`), 'must be capture, ses, smtp://[user:password@]host[:port] or smtps://…')
    .default('capture')
    .describe(
      'Where outgoing email goes: `smtp://user:password@host:587`, `smtps://…:465`, `ses` (Amazon SES, see SES_REGION), or `capture` (stored in Postgres, shown at /mailbox).',
    ),
  ALLOW_CAPTURE: flag
    .default(false)
    .describe('Allows the capture transport and /mailbox in production: everybody who reaches the server reads all captured email there.'),
  SMTP_CONNECTIONS: count
    .min(1)
    .default(8)
    .describe(
      'SMTP connections that a worker opens at most for emails that the mail server takes quickly, and up to twice as many more for those that take longer than 1 s: 24 in all with the default. An unused one is closed after 10 s.',
    ),
  SEND_RATE_PER_PROJECT: count
    .optional()
    .describe('Emails per second and project; 0 means no limit. Default: 14 in production over SMTP and SES, otherwise no limit.'),
  SEND_RATE_PER_PROCESS: count.default(0).describe('Emails per second of this worker; 0 means no limit.'),
  RENDER_BUDGET_MS: count
    .min(5)
    .default(50)
    .describe('Computing time in ms that rendering subject, HTML and text of one email may take; beyond it the email fails.'),
  CLAIM_SECONDS: z.coerce
    .number()
    .min(1)
    .default(30)
    .describe('How long a worker that has stopped responding keeps its emails before another worker takes them over.'),
  PLATFORM_PROJECT_ID: z
    .string()
    .regex(/^prj_[0-9a-z]{26}$/, 'must be the id of a project, prj_…')
    .optional()
    .describe(
      'The project that sends the installation’s own emails (verification, password resets, invitations, warnings). Anyone who has its keys can read those emails. Default outside production: a project created for this.',
    ),
  PLATFORM_FROM: z
    .string()
    .regex(/^([^<>\r\n]+<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, 'must be an address, or: Name <address>')
    .optional()
    .describe(
      'Sender of the installation’s own emails; its domain must be verified in PLATFORM_PROJECT_ID. Default outside production: `Postwire <hello@postwire.test>`.',
    ),
  DNS_SERVERS: z
    .string()
    .default('')
    .transform(commaList)
    .refine((servers) => servers.every(isNameServer), {
      error: 'must be addresses such as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:53',
    })
    .describe('Comma-separated name servers (`ip` or `ip:port`) for looking up domains and addresses. Default: those of the system.'),
  SPF_INCLUDE: hostName
    .optional()
    .describe(
      'Name of the SPF record of your mail server. Every sender domain is then asked to include it, and checked for it. Amazon SES has its own, which is used with EMAIL_TRANSPORT=ses.',
    ),
  RETURN_PATH_HOST: hostName
    .optional()
    .describe(
      'Host that receives bounces, if your mail server sets the return path to `bounce.<domain>`, or Postwire does (BOUNCE_PORT). Every sender domain is then asked to point that name to this host (CNAME), and checked for it. Amazon SES has its own, which is used with EMAIL_TRANSPORT=ses.',
    ),
  TRACKING_HOST: hostName
    .optional()
    .describe(
      'Host in front of this installation that answers for `links.<domain>` of sender domains, over https with certificates for them. Every sender domain is then asked to point that name to this host (CNAME); once it does, tracked links and recipients’ pages of its emails have addresses there. On such hosts nothing else is served, and a tracked link leads on only where its email was sent from the domain, or its project may send from it: any other shows where it leads. Without it those addresses are below PUBLIC_URL.',
    ),
  INBOUND_HOST: hostName
    .optional()
    .describe(
      'Host that receives incoming email. Every sender domain is then shown it as an optional mail server (MX), and checked for it.',
    ),
}
