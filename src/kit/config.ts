import { z } from 'zod'
import { combinationProblems } from './config-problems.ts'
import { providerSettings } from './config-provider.ts'
import { commaList, count, flag, hostName, isNameServer, port } from './config-types.ts'

/** Every setting, read from the environment once at start. The README's table and .env.example are generated from it. */
export const Settings = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'])
    .default('development')
    .describe('`production` requires APP_SECRET, hides the mailbox, metrics and GraphiQL, and creates no demo data.'),
  ROLE: z.enum(['all', 'web', 'worker']).default('all').describe('What this process does: answer requests, deliver email, or both.'),
  HOST: z.string().optional().describe('Address to listen on. Default 127.0.0.1, in production 0.0.0.0.'),
  PORT: port.default(8080).describe('Port to listen on; 0 takes a free one.'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Public address of this installation, used for links in emails. Default http://localhost:PORT.'),
  DASHBOARD_ORIGINS: z
    .string()
    .default('')
    .transform(commaList)
    .describe('Comma-separated origins that may call the API from a browser with credentials.'),
  DASHBOARD: flag.default(true).describe('Serves the dashboard at /app/, and leads browsers there that open `/`.'),
  DEMO_HISTORY: flag
    .default(true)
    .describe(
      'Outside production: fills the demo project of a first start with people and six weeks of activity, where email is captured and ROLE is `all`. `false` starts with three people and no past.',
    ),
  ALLOWED_HOSTS: z
    .string()
    .toLowerCase()
    .default('')
    .transform(commaList)
    .describe(
      'Comma-separated names, without a port, under which this installation may be opened besides the host of PUBLIC_URL, localhost and IP addresses. Outside production requests to any other name are refused.',
    ),
  APP_SECRET: z
    .string()
    .min(32, 'must be at least 32 characters, such as the output of: openssl rand -hex 32')
    .optional()
    .describe('Encrypts keys at rest and signs links. Required in production; otherwise generated once and stored in DATA_DIR.'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .describe(
      'Folder for the embedded PostgreSQL, the generated secret, demo.json and uploads. Several processes must share it, or use S3_BUCKET.',
    ),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('PostgreSQL 18 or newer. Without it an embedded PostgreSQL is started in DATA_DIR.'),
  DIRECT_DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('The same database, not through a pooler in transaction mode: for LISTEN, locks and migrations. Default: DATABASE_URL.'),
  DATABASE_POOL_SIZE: count
    .min(2)
    .default(10)
    .describe(
      'Connections of this process to Postgres for single statements. Transactions open up to as many more, Prisma and grouped writes up to half as many each, deliveries, conditions over contacts, the job queue and LISTEN a few. Calls of one account, or of one address without a key, have at most a part of them.',
    ),
  EMAIL_TRANSPORT: z
    .string()
    .regex(/^(capture|null|ses|smtps?:\/\/.+)$/, 'must be capture, ses, smtp://[user:password@]host[:port] or smtps://…')
    .default('capture')
    .describe(
      'Where outgoing email goes: `smtp://user:password@host:587`, `smtps://…:465`, `ses` (Amazon SES, see SES_REGION), or `capture` (stored in Postgres, shown at /mailbox).',
    ),
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
  DISABLE_SIGNUPS: flag.default(false).describe('Refuses new accounts; people who were invited can still create one.'),
  REQUIRE_VERIFIED_EMAIL: flag
    .optional()
    .describe(
      'People must confirm their email address before they may do anything else, and common passwords are refused. Default: on in production with PLATFORM_FROM.',
    ),
  TRUST_PROXY: count
    .max(10)
    .default(0)
    .describe(
      'How many reverse proxies are in front of this installation and append to X-Forwarded-For: the address of the caller is that many entries from its end.',
    ),
  ALLOW_CAPTURE: flag.default(false).describe('Allows the capture transport and /mailbox in production.'),
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
  ...providerSettings,
  WEBHOOKS_TO_LOCALHOST: flag
    .optional()
    .describe(
      'WEBHOOK steps of workflows may call this machine (`http://localhost:3000`), to try them out. Default: on, but off in production, where it cannot be turned on: whoever can edit a workflow could call the services of the machine.',
    ),
  MAX_PROJECTS_PER_USER: count.min(1).default(20).describe('Projects that one person may own; more cannot be created.'),
  RATE_LIMIT_PER_MINUTE: count
    .min(1)
    .default(1000)
    .describe(
      'API requests per minute and project. Requests with the public key count apart: so many per client address, and ten times that per project.',
    ),
  UNKNOWN_KEYS_PER_MINUTE: count.min(1).default(60).describe('Requests per minute with an unknown API key from one client address.'),
  SIGNUPS_PER_HOUR: count.min(1).default(20).describe('Sign-ups per hour from one client address.'),
  MAX_CONNECTIONS_PER_ADDRESS: count
    .min(1)
    .default(2000)
    .describe(
      'Connections for requests from one client address (IPv6: from one /64 network) to each process. With TRUST_PROXY all are from the proxy, which has to limit them.',
    ),
  MAX_SOCKETS_PER_KEY: count
    .min(1)
    .default(2000)
    .describe('Live connections (websockets and event streams) of one key, or of one person, to each process.'),
  MAX_SOCKETS_PER_ADDRESS: count
    .min(1)
    .default(2000)
    .describe('Live connections from one client address (IPv6: from one /64 network) to each process. See TRUST_PROXY.'),
  MAX_SOCKETS_BEFORE_INIT: count
    .min(1)
    .default(20)
    .describe('Websockets from one client address to each process that have been opened and not yet authenticated.'),
  MAX_ATTACHMENT_SIZE_MB: z.coerce.number().min(1).max(28).default(10).describe('Decoded size of all attachments of one email, in MB.'),
  UPLOAD_QUOTA_MB: count.min(1).default(1024).describe('Size of all pictures of one project together, in MB; more cannot be uploaded.'),
  CONTENT_RETENTION_DAYS: count
    .min(1)
    .optional()
    .describe('Contents and attachments of emails that have ended are removed after so many days; the emails stay. Default: never.'),
  LOG_RETENTION_MONTHS: count
    .min(1)
    .optional()
    .describe('Lines of the event log are removed after so many months; counters keep what was counted. Default: never.'),
  GITHUB_OAUTH_CLIENT: z
    .string()
    .min(1)
    .optional()
    .describe('Enables signing in with GitHub: the client id of your OAuth app. Its callback URL is PUBLIC_URL/oauth/github/callback.'),
  GITHUB_OAUTH_SECRET: z.string().min(1).optional().describe('The secret of GITHUB_OAUTH_CLIENT.'),
  GITHUB_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://github.com')
    .describe('Where people sign in with GitHub; another address for GitHub Enterprise.'),
  GITHUB_API_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.github.com')
    .describe('The API of GITHUB_URL; for GitHub Enterprise `https://HOST/api/v3`.'),
  GOOGLE_OAUTH_CLIENT: z
    .string()
    .min(1)
    .optional()
    .describe('Enables signing in with Google: the client id of your OAuth app. Its redirect URI is PUBLIC_URL/oauth/google/callback.'),
  GOOGLE_OAUTH_SECRET: z.string().min(1).optional().describe('The secret of GOOGLE_OAUTH_CLIENT.'),
  GOOGLE_ISSUER: z
    .url({ protocol: /^https?$/ })
    .default('https://accounts.google.com')
    .describe('OpenID issuer for signing in with Google; its endpoints are discovered at `/.well-known/openid-configuration` below it.'),
  S3_BUCKET: z.string().min(1).optional().describe('Bucket of an S3-compatible store for uploads. Without it they are stored in DATA_DIR.'),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of the store, such as `https://minio.example.com`. Default: Amazon S3 in S3_REGION.'),
  S3_REGION: z.string().min(1).default('us-east-1').describe('Region of the bucket.'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional().describe('Access key for the bucket. Without it the role of the machine is used.'),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('The secret of S3_ACCESS_KEY_ID.'),
  S3_PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Public address of the bucket: uploads get URLs below it. Without it they are served at PUBLIC_URL/uploads.'),
  S3_FORCE_PATH_STYLE: flag
    .default(false)
    .describe('Puts the bucket name into the path instead of the host name, as MinIO and most other stores need it.'),
  AUTO_PROJECT_DISABLE: flag
    .default(true)
    .describe('Suspends a project automatically when its bounce or complaint rate is critical; otherwise its members are only notified.'),
  STRIPE_SECRET_KEY: z.string().min(1).optional().describe('Enables billing: the secret key of your Stripe account.'),
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
    .describe('Price of an email: a metered price on the meter of STRIPE_METER_EVENT_NAME. Required with STRIPE_SECRET_KEY.'),
  STRIPE_PRICE_ONBOARDING: z.string().min(1).optional().describe('Price that is charged once, with the first checkout of a project.'),
  STRIPE_METER_EVENT_NAME: z
    .string()
    .min(1)
    .max(100)
    .default('emails')
    .describe('Name of the meter events that report accepted emails to Stripe.'),
  STRIPE_API_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Another address of the Stripe API, such as a local stand-in. Default https://api.stripe.com.'),
  FREE_MAILS_PER_MONTH: count
    .min(1)
    .default(1000)
    .describe('With billing enabled: emails per month, over all categories, of a project without a subscription.'),
  METRICS: flag.optional().describe('Serves /metrics. Default: on, but off in production.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('Lowest severity of the log lines that are written.'),
})

/** The settings as the program uses them. */
export type Config = ReturnType<typeof readConfig>

/** One or more settings are wrong: the message names all of them, one per line. */
export class ConfigError extends Error {}

/** Reads the settings from an environment; throws ConfigError naming every problem at once. */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  const given = Object.fromEntries(Object.entries(env).filter(([name, value]) => name in Settings.shape && value !== ''))
  const parsed = Settings.safeParse(given)
  const wrong = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  const problems = [...wrong, ...combinationProblems(given, parsed.data)]
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.join('\n'))
  const settings = parsed.data
  const production = settings.NODE_ENV === 'production'
  const leaves = /^(smtps?:|ses$)/.test(settings.EMAIL_TRANSPORT)
  return {
    ...settings,
    production,
    HOST: settings.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    METRICS: settings.METRICS ?? !production,
    SEND_RATE_PER_PROJECT: settings.SEND_RATE_PER_PROJECT ?? (production && leaves ? 14 : 0),
    webhooksToLocalhost: !production && (settings.WEBHOOKS_TO_LOCALHOST ?? true),
    runsWeb: settings.ROLE !== 'worker',
    runsWorker: settings.ROLE !== 'web',
    mailbox: settings.EMAIL_TRANSPORT === 'capture',
    billing: settings.STRIPE_SECRET_KEY !== undefined,
    PLATFORM_FROM: settings.PLATFORM_FROM ?? 'Postwire <hello@postwire.test>',
    platformMail: !production || settings.PLATFORM_FROM !== undefined,
    /** The project that sends the installation's own emails: no free allowance limits it, and bounces do not suspend it. */
    platformProjectId: settings.PLATFORM_PROJECT_ID ?? (production ? undefined : `prj_${'0'.repeat(26)}`),
    /** People must have confirmed their address, and may not choose a common password. */
    verifiedOnly: settings.REQUIRE_VERIFIED_EMAIL ?? (production && settings.PLATFORM_FROM !== undefined),
  }
}
