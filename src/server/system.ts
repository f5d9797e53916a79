import { z } from 'zod'
import type { Ctx } from '../kit/context.ts'
import { maxFileBytes as maxImportBytes } from '../kit/csv/shapes.ts'
import { within } from '../kit/deadline.ts'
import { Failure } from '../kit/errors.ts'
import { statement } from '../kit/postgres/db.ts'
import { route } from '../kit/route.ts'
import { Nothing } from '../kit/shapes.ts'
import { perWorld } from '../kit/world.ts'
import { transportState } from '../modules/emails/delivery/transport.ts'
import { maxFileBytes as maxImageBytes } from '../modules/uploads/shapes.ts'

const ping = statement<object>('system_ping', 'select 1', { allProjects: 'checks only whether the database answers' })

const Health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' })

/** Reports that the process answers. */
export async function checkHealth() {
  return { status: 'ok' as const }
}

const Readiness = z
  .object({
    status: z.literal('ok'),
    mailTransport: z
      .enum(['ok', 'unavailable', 'unknown'])
      .describe('Whether this process can use its mail server; `unknown` when it has not tried, such as in a process without a worker.'),
  })
  .meta({ id: 'Readiness' })

const maxPingMs = 3_000

// Whoever asks while there is no answer yet waits for the same one, so that a database that hangs costs few connections. When it is late,
// the next one asks over another connection: that one may be half-open.
const pingOf = perWorld(({ db }) => {
  let asked: Promise<unknown> | undefined
  return () => {
    if (asked) return asked
    const own = within<unknown>(maxPingMs, db.run(ping, []), () => {
      throw new Failure('SERVICE_UNAVAILABLE', `This process has had no answer from the database for ${maxPingMs / 1000} seconds.`)
    }).finally(() => {
      asked = undefined
    })
    asked = own
    return own
  }
})

/**
 * Reports that the process can work, which needs an answer of the database within 3 seconds; otherwise fails with SERVICE_UNAVAILABLE. A
 * mail server that cannot be used does not make a process unready: accepted emails stay queued and are sent later.
 */
export async function checkReadiness({ world }: Pick<Ctx, 'world'>) {
  await pingOf(world)()
  return { status: 'ok' as const, mailTransport: transportState(world).state }
}

const megabyte = 1024 * 1024
const Url = z.string().nullable()

// What this installation has enabled.
const Configuration = z
  .object({
    environment: z.string(),
    urls: z.object({ api: z.string(), dashboard: Url, landing: Url, wiki: Url }),
    features: z.object({
      billing: z.object({ enabled: z.boolean() }),
      storage: z.object({ s3Enabled: z.boolean() }),
      authProviders: z.object({ github: z.boolean(), google: z.boolean() }),
      signups: z.object({ enabled: z.boolean() }).describe('Whether new accounts are accepted.'),
      email: z.object({
        trackingToggleEnabled: z.boolean(),
        verificationRequired: z.boolean().describe('Whether people must confirm their address before they may do anything else.'),
        accountEmailsEnabled: z
          .boolean()
          .describe('Whether the installation sends emails to its own users, such as links that confirm an address or reset a password.'),
      }),
      smtp: z.object({ enabled: z.boolean(), domain: z.string().nullable(), ports: z.null() }).describe('The inbound SMTP relay.'),
    }),
    aws: z.object({ sesRegion: z.string().nullable() }),
  })
  .meta({ id: 'Configuration' })

/** What this installation has enabled; for anyone. */
export async function getConfiguration({ config, world }: Pick<Ctx, 'config' | 'world'>) {
  return {
    environment: config.NODE_ENV,
    urls: { api: world.publicUrl, dashboard: config.DASHBOARD_ORIGINS[0] ?? null, landing: null, wiki: null },
    features: {
      billing: { enabled: config.billing },
      storage: { s3Enabled: config.S3_BUCKET !== undefined },
      authProviders: { github: config.GITHUB_OAUTH_CLIENT !== undefined, google: config.GOOGLE_OAUTH_CLIENT !== undefined },
      signups: { enabled: !config.DISABLE_SIGNUPS },
      email: { trackingToggleEnabled: true, verificationRequired: config.verifiedOnly, accountEmailsEnabled: config.platformMail },
      smtp: { enabled: false, domain: null, ports: null },
    },
    aws: { sesRegion: null },
  }
}

/** The same for programs that read one list of it: with the providers that people can sign in with, and the limits of files. */
export async function getInstallation(ctx: Pick<Ctx, 'config' | 'world'>) {
  const { environment, urls, features } = await getConfiguration(ctx)
  const providers = { github: 'GITHUB', google: 'GOOGLE' } as const
  return {
    environment,
    apiUrl: urls.api,
    dashboardUrl: urls.dashboard,
    billingEnabled: features.billing.enabled,
    signupsEnabled: features.signups.enabled,
    verificationRequired: features.email.verificationRequired,
    accountEmailsEnabled: features.email.accountEmailsEnabled,
    oauthProviders: (['github', 'google'] as const).flatMap((name) => (features.authProviders[name] ? [providers[name]] : [])),
    maxAttachmentBytes: ctx.config.MAX_ATTACHMENT_SIZE_MB * megabyte,
    maxImageBytes,
    maxImportBytes,
  }
}

/** The routes for load balancers, monitoring and dashboards. */
export const routes = [
  route('GET', '/healthz', 'none', Nothing, Health, checkHealth, { summary: 'Whether the process answers' }),
  route('GET', '/readyz', 'none', Nothing, Readiness, checkReadiness, {
    summary: 'Whether the process can work',
    errors: ['SERVICE_UNAVAILABLE'],
  }),
  route('GET', '/config', 'none', Nothing, Configuration, getConfiguration, { summary: 'What this installation has enabled' }),
]
