import { z } from 'zod'
import { count, flag } from './types.ts'

/** The settings of limits: what a person, a project or a client address may use, and for how long things are kept. */
export const limitSettings = {
  MAX_PROJECTS_PER_USER: count.min(1).default(20).describe('Projects that one person may own; more cannot be created.'),
  RATE_LIMIT_PER_MINUTE: count
    .min(1)
    .default(1000)
    .describe(
      'API requests per minute and project. Requests with the public key count apart: so many per client address, and ten times that per project.',
    ),
  UNKNOWN_KEYS_PER_MINUTE: count
    .min(1)
    .default(60)
    .describe('Different unknown API keys per minute from one client address; the same one again does not count.'),
  SIGNUPS_PER_HOUR: count.min(1).default(20).describe('Sign-ups per hour from one client address.'),
  MAX_CONNECTIONS_PER_ADDRESS: count
    .min(1)
    .default(2000)
    .describe(
      'Connections for requests from one client address (IPv6: from one /64 network; ten times as many from one /48) to each process. With TRUST_PROXY all are from the proxy, which has to limit them.',
    ),
  MAX_SOCKETS_PER_KEY: count
    .min(1)
    .default(2000)
    .describe('Live connections (websockets and event streams) of one key, or of one person, to each process.'),
  MAX_SOCKETS_PER_ADDRESS: count
    .min(1)
    .default(2000)
    .describe(
      'Live connections from one client address (IPv6: from one /64 network; ten times as many from one /48) to each process. See TRUST_PROXY.',
    ),
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
  AUTO_PROJECT_DISABLE: flag
    .default(true)
    .describe('Suspends a project automatically when its bounce or complaint rate is critical; otherwise its members are only notified.'),
}
