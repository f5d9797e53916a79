import { z } from 'zod'
import { familyOf } from './networks.ts'

const flag = z.stringbool()
const port = z.coerce.number().int().min(0).max(65535)
const count = z.coerce.number().int().min(0)
const hostName = z
  .string()
  .toLowerCase()
  .regex(/^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/, 'must be the full name of a host such as mail.example.com')

function commaList(list: string): string[] {
  return list
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
}

function isNameServer(server: string): boolean {
  if (familyOf(server) !== null) return true
  const [, v6, v4, port] = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::(\d{1,5}))?$/i.exec(server) ?? []
  return (
    (familyOf(v6 ?? '') === 'ipv6' || familyOf(v4 ?? '') === 'ipv4') && (port === undefined || (Number(port) > 0 && Number(port) < 65_536))
  )
}

/** Every setting, read from the environment once at start. The README's table and .env.example come from here. */
export const Settings = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'])
    .default('development')
    .describe('`production` demands APP_SECRET, hides the mailbox, metrics and GraphiQL, and makes no demo data.'),
  ROLE: z.enum(['all', 'web', 'worker']).default('all').describe('What this process does: answer requests, deliver mail, or both.'),
  HOST: z.string().optional().describe('Address to listen on. Default 127.0.0.1, in production 0.0.0.0.'),
  PORT: port.default(8080).describe('Port to listen on; 0 takes a free one.'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('The address people reach this installation at: used in links in mails. Default http://localhost:PORT.'),
  DASHBOARD_ORIGINS: z
    .string()
    .default('')
    .transform(commaList)
    .describe('Comma-separated origins that may call the API from a browser with credentials.'),
  APP_SECRET: z
    .string()
    .min(32, 'must be at least 32 characters, such as the output of: openssl rand -hex 32')
    .optional()
    .describe('Encrypts keys at rest and signs links. Required in production; elsewhere made once and kept in DATA_DIR.'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .describe(
      'Folder of the embedded PostgreSQL, the generated secret, demo.json and uploads; several processes must share it, or use S3_BUCKET.',
    ),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('PostgreSQL 18 or newer. Without it an embedded one is started under DATA_DIR.'),
  DIRECT_DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('The same database without a pooler in transaction mode between: for LISTEN, locks and migrations.'),
  DATABASE_POOL_SIZE: count.min(2).default(10).describe('Connections of this process to Postgres, beside a few for queue and listener.'),
  EMAIL_TRANSPORT: z
    .string()
    .regex(/^(capture|null|smtps?:\/\/.+)$/, 'must be capture, smtp://[user:password@]host[:port] or smtps://…')
    .default('capture')
    .describe('Where mail goes: `smtp://user:password@host:587`, `smtps://…:465`, or `capture` (kept in Postgres, shown at /mailbox).'),
  PLATFORM_PROJECT_ID: z
    .string()
    .regex(/^prj_[0-9a-z]{26}$/, 'must be the id of a project, prj_…')
    .optional()
    .describe(
      'The project that sends the installation’s own mail (verification, resets, invitations, warnings). Whoever has its keys can read those mails. Default outside production: one of its own.',
    ),
  PLATFORM_FROM: z
    .string()
    .regex(/^([^<>\r\n]+<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, 'must be an address, or: Name <address>')
    .optional()
    .describe(
      'Sender of the installation’s own mail; its domain must be verified in PLATFORM_PROJECT_ID. Default outside production `Postwire <hello@postwire.test>`.',
    ),
  DISABLE_SIGNUPS: flag.default(false).describe('Takes no new accounts; invited people still get one.'),
  REQUIRE_VERIFIED_EMAIL: flag
    .optional()
    .describe(
      'People must confirm their address before they may do anything else, and common passwords are refused. Default: on in production with PLATFORM_FROM.',
    ),
  TRUST_PROXY: count
    .max(10)
    .default(0)
    .describe(
      'How many reverse proxies stand in front and add to X-Forwarded-For: the address of a caller is read that many places from its end.',
    ),
  ALLOW_CAPTURE: flag.default(false).describe('Allows the capture transport and /mailbox in production.'),
  SMTP_CONNECTIONS: count.min(1).default(8).describe('SMTP connections a worker keeps open.'),
  SEND_RATE_PER_PROJECT: count
    .optional()
    .describe('Mails a second and project; 0 is no limit. Default 14 in production over SMTP, otherwise no limit.'),
  SEND_RATE_PER_PROCESS: count.default(0).describe('Mails a second of this worker; 0 is no limit.'),
  CLAIM_SECONDS: z.coerce
    .number()
    .min(1)
    .default(30)
    .describe('How long a worker that went silent keeps its mails before another takes them over.'),
  DNS_SERVERS: z
    .string()
    .default('')
    .transform(commaList)
    .refine((servers) => servers.every(isNameServer), {
      error: 'must be addresses such as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:53',
    })
    .describe(
      'Comma-separated name servers (`ip` or `ip:port`) that domains and addresses are looked up at. Default: those of the system.',
    ),
  SPF_INCLUDE: hostName
    .optional()
    .describe('Name of the SPF record of your mail server: every sender domain is then told to include it, and it is looked for.'),
  RETURN_PATH_HOST: hostName
    .optional()
    .describe(
      'Host that takes bounces, where your mail server sets the return path to `bounce.<domain>`: every sender domain is then told to point that at it (CNAME), and it is looked for.',
    ),
  TRACKING_HOST: hostName
    .optional()
    .describe(
      'Host in front of this installation that answers tracked links, where your mail server writes them to `links.<domain>`: every sender domain is then told to point that at it (CNAME). Without it links stand below PUBLIC_URL.',
    ),
  INBOUND_HOST: hostName
    .optional()
    .describe(
      'Host that takes incoming mail: every sender domain is then told that it may name it as its mail server (MX), and it is looked for.',
    ),
  RATE_LIMIT_PER_MINUTE: count.min(1).default(1000).describe('API requests a minute and project.'),
  MAX_ATTACHMENT_SIZE_MB: z.coerce.number().min(1).max(28).default(10).describe('Decoded size of all attachments of one mail, in MB.'),
  GITHUB_OAUTH_CLIENT: z
    .string()
    .min(1)
    .optional()
    .describe('Switches signing in with GitHub on: the client id of your OAuth app. Its callback is PUBLIC_URL/oauth/github/callback.'),
  GITHUB_OAUTH_SECRET: z.string().min(1).optional().describe('The secret of GITHUB_OAUTH_CLIENT.'),
  GITHUB_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://github.com')
    .describe('Where people sign in with GitHub: another address for GitHub Enterprise.'),
  GITHUB_API_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.github.com')
    .describe('The API of GITHUB_URL; for GitHub Enterprise `https://HOST/api/v3`.'),
  GOOGLE_OAUTH_CLIENT: z
    .string()
    .min(1)
    .optional()
    .describe('Switches signing in with Google on: the client id. Its redirect address is PUBLIC_URL/oauth/google/callback.'),
  GOOGLE_OAUTH_SECRET: z.string().min(1).optional().describe('The secret of GOOGLE_OAUTH_CLIENT.'),
  GOOGLE_ISSUER: z
    .url({ protocol: /^https?$/ })
    .default('https://accounts.google.com')
    .describe('OpenID issuer behind signing in with Google; its endpoints are found at `/.well-known/openid-configuration` below it.'),
  S3_BUCKET: z
    .string()
    .min(1)
    .optional()
    .describe('Bucket for uploads of any S3-compatible store. Without it they are kept under DATA_DIR.'),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of the store, such as `https://minio.example.com`. Default: Amazon S3 in S3_REGION.'),
  S3_REGION: z.string().min(1).default('us-east-1').describe('Region of the bucket.'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional().describe('Key for the bucket. Without it the role of the machine is used.'),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('The secret of S3_ACCESS_KEY_ID.'),
  S3_PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where the bucket is public: uploads get addresses under it. Without it they are served at PUBLIC_URL/uploads.'),
  S3_FORCE_PATH_STYLE: flag.default(false).describe('Puts the bucket into the path instead of the host name: for MinIO and most others.'),
  AUTO_PROJECT_DISABLE: flag
    .default(true)
    .describe('Suspends a project by itself when its bounces or complaints are critical; otherwise it is only told.'),
  STRIPE_SECRET_KEY: z.string().min(1).optional().describe('Switches billing on: the secret key of your Stripe account.'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Signing secret (`whsec_…`) of the Stripe webhook that calls POST /webhooks/incoming/stripe. Required with STRIPE_SECRET_KEY.',
    ),
  STRIPE_PRICE_EMAIL_USAGE: z
    .string()
    .min(1)
    .optional()
    .describe('Price of a mail: a metered price on the meter of STRIPE_METER_EVENT_NAME. Required with STRIPE_SECRET_KEY.'),
  STRIPE_PRICE_ONBOARDING: z.string().min(1).optional().describe('Price that is paid once, with the first checkout of a project.'),
  STRIPE_METER_EVENT_NAME: z
    .string()
    .min(1)
    .max(100)
    .default('emails')
    .describe('Name of the meter events that tell Stripe of accepted mails.'),
  STRIPE_API_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Another address of the Stripe API, such as a local twin. Default https://api.stripe.com.'),
  FREE_MAILS_PER_MONTH: count
    .min(1)
    .default(1000)
    .describe('With billing on: mails a month, over all categories, of a project without a subscription.'),
  METRICS: flag.optional().describe('Serves /metrics. Default: on, in production off.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('Least severe log line that is written.'),
})

/** The settings as the program uses them. */
export type Config = ReturnType<typeof readConfig>

/** One or more settings are wrong: the message names all of them, a line each. */
export class ConfigError extends Error {}

/** Reads the settings from an environment; throws ConfigError naming every problem at once. */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  const given = Object.fromEntries(Object.entries(env).filter(([name, value]) => name in Settings.shape && value !== ''))
  const parsed = Settings.safeParse(given)
  const wrong = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  const problems = [...wrong, ...missing(given, parsed.data)]
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.join('\n'))
  const settings = parsed.data
  const production = settings.NODE_ENV === 'production'
  const smtp = /^smtps?:/.test(settings.EMAIL_TRANSPORT)
  return {
    ...settings,
    production,
    HOST: settings.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    METRICS: settings.METRICS ?? !production,
    SEND_RATE_PER_PROJECT: settings.SEND_RATE_PER_PROJECT ?? (production && smtp ? 14 : 0),
    runsWeb: settings.ROLE !== 'worker',
    runsWorker: settings.ROLE !== 'web',
    mailbox: settings.EMAIL_TRANSPORT === 'capture',
    billing: settings.STRIPE_SECRET_KEY !== undefined,
    PLATFORM_FROM: settings.PLATFORM_FROM ?? 'Postwire <hello@postwire.test>',
    platformMail: !production || settings.PLATFORM_FROM !== undefined,
    /** The project that sends the installation's own mail: no free allowance ends it, and bad addresses do not suspend it. */
    platformProjectId: settings.PLATFORM_PROJECT_ID ?? (production ? undefined : `prj_${'0'.repeat(26)}`),
    /** People must have proved their address, and may not choose a common password. */
    verifiedOnly: settings.REQUIRE_VERIFIED_EMAIL ?? (production && settings.PLATFORM_FROM !== undefined),
  }
}

// What is wrong with settings together, each being right by itself.
function missing(given: Record<string, string | undefined>, settings: z.output<typeof Settings> | undefined): string[] {
  const problems: string[] = []
  const production = given.NODE_ENV === 'production'
  if (production && !given.APP_SECRET) problems.push('APP_SECRET: is required in production; make one with: openssl rand -hex 32')
  if (production && (given.EMAIL_TRANSPORT ?? 'capture') === 'capture' && settings?.ALLOW_CAPTURE !== true) {
    problems.push('EMAIL_TRANSPORT: is required in production (smtp://…); ALLOW_CAPTURE=true keeps mail in /mailbox instead')
  }
  if (production && Boolean(given.PLATFORM_PROJECT_ID) !== Boolean(given.PLATFORM_FROM)) {
    problems.push('PLATFORM_FROM and PLATFORM_PROJECT_ID: set both, or neither to send no mail of the installation’s own')
  }
  for (const provider of ['GITHUB', 'GOOGLE'] as const) {
    const pair = [`${provider}_OAUTH_CLIENT`, `${provider}_OAUTH_SECRET`]
    if (pair.filter((name) => given[name]).length === 1) problems.push(`${pair.join(' and ')}: belong together; give both or none`)
  }
  if (given.S3_BUCKET && !given.S3_ACCESS_KEY_ID !== !given.S3_SECRET_ACCESS_KEY) {
    problems.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: belong together; give both, or none to use the role of the machine')
  }
  if (given.STRIPE_SECRET_KEY && !(given.STRIPE_WEBHOOK_SECRET && given.STRIPE_PRICE_EMAIL_USAGE)) {
    problems.push('STRIPE_WEBHOOK_SECRET and STRIPE_PRICE_EMAIL_USAGE: are required with STRIPE_SECRET_KEY')
  }
  return problems
}
