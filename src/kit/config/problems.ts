/** The settings that combinations are about, where they are valid. */
interface Combined {
  ALLOW_CAPTURE?: boolean | undefined
  REQUIRE_VERIFIED_EMAIL?: boolean | undefined
  WEBHOOKS_TO_LOCALHOST?: boolean | undefined
}

/**
 * The problems of combinations of settings that are each valid by themselves: one line each, as ConfigError shows them. `given` is their
 * text, of those that are set; `settings` has the values with their defaults, and none of a setting that is wrong.
 */
export function combinationProblems(given: Record<string, string | undefined>, settings: Combined): string[] {
  const problems = given.NODE_ENV === 'production' ? productionProblems(given, settings) : []
  for (const provider of ['GITHUB', 'GOOGLE'] as const) {
    const pair = [`${provider}_OAUTH_CLIENT`, `${provider}_OAUTH_SECRET`]
    if (pair.filter((name) => given[name]).length === 1) problems.push(`${pair.join(' and ')}: belong together; set both or neither`)
  }
  if (given.S3_BUCKET && !given.S3_ACCESS_KEY_ID !== !given.S3_SECRET_ACCESS_KEY) {
    problems.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: belong together; set both, or neither to use the role of the machine')
  }
  if (!given.SES_ACCESS_KEY_ID !== !given.SES_SECRET_ACCESS_KEY) {
    problems.push('SES_ACCESS_KEY_ID and SES_SECRET_ACCESS_KEY: belong together; set both, or neither to use the role of the machine')
  }
  if (!given.SNS_CERTIFICATE !== !given.SNS_CERTIFICATE_URL) {
    problems.push('SNS_CERTIFICATE and SNS_CERTIFICATE_URL: belong together; set both, or neither to fetch certificates from Amazon')
  }
  if (given.BOUNCE_PORT && !given.RETURN_PATH_HOST) problems.push('RETURN_PATH_HOST: is required with BOUNCE_PORT')
  if (!given.BOUNCE_TLS_CERT !== !given.BOUNCE_TLS_KEY) {
    problems.push('BOUNCE_TLS_CERT and BOUNCE_TLS_KEY: belong together; set both, or neither to receive unencrypted mail only')
  }
  if (given.STRIPE_SECRET_KEY && !(given.STRIPE_WEBHOOK_SECRET && given.STRIPE_PRICE_EMAIL_USAGE)) {
    problems.push('STRIPE_WEBHOOK_SECRET and STRIPE_PRICE_EMAIL_USAGE: are required with STRIPE_SECRET_KEY')
  }
  return problems
}

function productionProblems(given: Record<string, string | undefined>, settings: Combined): string[] {
  const problems: string[] = []
  if (!given.APP_SECRET) problems.push('APP_SECRET: is required in production; generate one with: openssl rand -hex 32')
  if ((given.EMAIL_TRANSPORT ?? 'capture') === 'capture' && settings.ALLOW_CAPTURE === false) {
    problems.push('EMAIL_TRANSPORT: is required in production (smtp://… or ses); ALLOW_CAPTURE=true stores email in /mailbox instead')
  }
  if (Boolean(given.PLATFORM_PROJECT_ID) !== Boolean(given.PLATFORM_FROM)) {
    problems.push('PLATFORM_FROM and PLATFORM_PROJECT_ID: set both, or neither to send no emails of the installation’s own')
  }
  if (settings.REQUIRE_VERIFIED_EMAIL && !given.PLATFORM_FROM) {
    problems.push(
      'REQUIRE_VERIFIED_EMAIL: needs PLATFORM_FROM and PLATFORM_PROJECT_ID in production, because without them no links that verify an address are sent',
    )
  }
  if (settings.WEBHOOKS_TO_LOCALHOST) problems.push('WEBHOOKS_TO_LOCALHOST: cannot be turned on in production')
  return problems
}
