import { z } from 'zod'
import { count, flag, hosts, origins, port } from './types.ts'

/** The settings of the process itself: how it is reached, where it keeps what, and what it shows. */
export const processSettings = {
  NODE_ENV: z
    .enum(['development', 'production', 'test'])
    .default('development')
    .describe(
      '`production` requires APP_SECRET, hides the mailbox and metrics, shows GraphiQL only to people who are signed in, and creates no demo data.',
    ),
  ROLE: z.enum(['all', 'web', 'worker']).default('all').describe('What this process does: answer requests, deliver email, or both.'),
  HOST: z.string().optional().describe('Address to listen on. Default 127.0.0.1, in production 0.0.0.0.'),
  PORT: port.default(8080).describe('Port to listen on; 0 takes a free one.'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Public address of this installation, used for links in emails. Default http://localhost:PORT.'),
  ALLOWED_HOSTS: hosts.describe(
    'Comma-separated names, without a port, under which this installation may be opened besides the host of PUBLIC_URL, localhost and IP addresses. Outside production requests to any other name are refused.',
  ),
  DASHBOARD_ORIGINS: origins.describe('Comma-separated origins that may call the API from a browser with credentials.'),
  TRUST_PROXY: count
    .max(10)
    .default(0)
    .describe(
      'How many reverse proxies are in front of this installation and append to X-Forwarded-For: the address of the caller is that many entries from its end.',
    ),
  DASHBOARD: flag.default(true).describe('Serves the dashboard at /app/, and leads browsers there that open `/`.'),
  DEMO_HISTORY: flag
    .default(true)
    .describe(
      'Outside production: fills the demo project of a first start with people and six weeks of activity, where email is captured and ROLE is `all`. `false` starts with three people and no past.',
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
      'Folder for the embedded PostgreSQL, the generated secret, demo.json and uploads. With DATABASE_URL several processes must share it, or use S3_BUCKET; without it one process has it.',
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
  WEBHOOKS_TO_LOCALHOST: flag
    .optional()
    .describe(
      'WEBHOOK steps of workflows may call this machine (`http://localhost:3000`), to try them out. Default: on, but off in production, where it cannot be turned on: whoever can edit a workflow could call the services of the machine.',
    ),
  METRICS: flag.optional().describe('Serves /metrics. Default: on, but off in production.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('Lowest severity of the log lines that are written.'),
}
