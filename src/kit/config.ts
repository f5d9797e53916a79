import { z } from 'zod'
import { accountSettings } from './config/accounts.ts'
import { billingSettings } from './config/billing.ts'
import { emailSettings, transportKindOf } from './config/email.ts'
import { limitSettings } from './config/limits.ts'
import { combinationProblems } from './config/problems.ts'
import { processSettings } from './config/process.ts'
import { providerSettings } from './config/provider.ts'
import { storageSettings } from './config/storage.ts'

/** Every setting, read from the environment once at start. The README's table and .env.example are generated from it. */
export const Settings = z.object({
  ...processSettings,
  ...emailSettings,
  ...providerSettings,
  ...accountSettings,
  ...limitSettings,
  ...storageSettings,
  ...billingSettings,
})

/** The settings as the program uses them. */
export type Config = ReturnType<typeof readConfig>

/** One or more settings are wrong: the message names all of them, one per line. */
export class ConfigError extends Error {}

// What is wrong with one setting hides no problem of others.
function validOf(given: Record<string, string | undefined>): Partial<z.output<typeof Settings>> {
  return Object.fromEntries(
    Object.entries(Settings.shape).flatMap(([name, shape]) => {
      const { success, data } = shape.safeParse(given[name])
      return success ? [[name, data]] : []
    }),
  )
}

/** Reads the settings from an environment; throws ConfigError naming every problem at once. */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  const given = Object.fromEntries(Object.entries(env).filter(([name, value]) => name in Settings.shape && value !== ''))
  const parsed = Settings.safeParse(given)
  const wrong = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  const problems = [...wrong, ...combinationProblems(given, validOf(given))]
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.join('\n'))
  const settings = parsed.data
  const production = settings.NODE_ENV === 'production'
  const transport = transportKindOf(settings.EMAIL_TRANSPORT)
  const leaves = transport === 'smtp' || transport === 'ses'
  return {
    ...settings,
    production,
    transport,
    HOST: settings.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    METRICS: settings.METRICS ?? !production,
    SEND_RATE_PER_PROJECT: settings.SEND_RATE_PER_PROJECT ?? (production && leaves ? 14 : 0),
    webhooksToLocalhost: !production && (settings.WEBHOOKS_TO_LOCALHOST ?? true),
    runsWeb: settings.ROLE !== 'worker',
    runsWorker: settings.ROLE !== 'web',
    mailbox: transport === 'capture',
    billing: settings.STRIPE_SECRET_KEY !== undefined,
    PLATFORM_FROM: settings.PLATFORM_FROM ?? 'Postwire <hello@postwire.test>',
    platformMail: !production || settings.PLATFORM_FROM !== undefined,
    /** The project that sends the installation's own emails: no free allowance limits it, and bounces do not suspend it. */
    platformProjectId: settings.PLATFORM_PROJECT_ID ?? (production ? undefined : `prj_${'0'.repeat(26)}`),
    /** People must have confirmed their address, and may not choose a common password. */
    verifiedOnly: settings.REQUIRE_VERIFIED_EMAIL ?? (production && settings.PLATFORM_FROM !== undefined),
  }
}
