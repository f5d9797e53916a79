import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../src/kit/config.ts'
import { envExample, settingsTable } from './help/settings.ts'
import { root, sources } from './help/sources.ts'

const problemsOf = (env: Record<string, string>): string => {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

describe('settings', () => {
  test('.env.example has every one with its default (vitest -u updates it)', async () => {
    await expect(envExample()).toMatchFileSnapshot('../.env.example')
  })

  test('the table of README.md has every one (copy it from settingsTable() in test/help/settings.ts)', () => {
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(settingsTable())
  })

  test('process.env is read in kit/config.ts only', () => {
    const readers = sources('src', /\.ts$/).filter(({ text }) => text.includes('process.env'))
    expect(readers.map(({ path }) => path)).toEqual(['src/kit/config.ts'])
  })

  test('all problems are reported at once', () => {
    const problems = problemsOf({ PORT: 'abc', ROLE: 'boss', DATABASE_URL: 'mysql://x', APP_SECRET: 'short', EMAIL_TRANSPORT: 'pigeon' })
    for (const name of ['PORT', 'ROLE', 'DATABASE_URL', 'APP_SECRET', 'EMAIL_TRANSPORT']) expect(problems).toContain(`${name}: `)
  })

  test('what is wrong with one setting hides no combination of others, and makes none up', () => {
    const problems = problemsOf({ NODE_ENV: 'production', PORT: 'abc', REQUIRE_VERIFIED_EMAIL: 'true', ALLOW_CAPTURE: 'true' })
    expect(problems.split('\n').map((line) => line.split(': ')[0])).toEqual(['PORT', 'APP_SECRET', 'REQUIRE_VERIFIED_EMAIL'])
    const secret = 'x'.repeat(32)
    expect(problemsOf({ NODE_ENV: 'production', APP_SECRET: secret, ALLOW_CAPTURE: 'ture' })).toMatch(/^ALLOW_CAPTURE: .*$/)
  })

  test('production requires a secret and a mail server, and hides the mailbox', () => {
    expect(problemsOf({ NODE_ENV: 'production' })).toMatch(/APP_SECRET[\s\S]*EMAIL_TRANSPORT/)
    const config = readConfig({ NODE_ENV: 'production', APP_SECRET: 'x'.repeat(32), EMAIL_TRANSPORT: 'smtp://localhost:25' })
    expect(config).toMatchObject({ HOST: '0.0.0.0', METRICS: false, mailbox: false, SEND_RATE_PER_PROJECT: 14 })
  })

  test.each([
    ['192.0.2.53, 192.0.2.53:5353,[2001:db8::53]:53,2001:db8::53,[::1]', true],
    ['dns.example.com', false],
    ['192.0.2', false],
    ['192.0.2.53:0', false],
    ['192.0.2.53:65536', false],
    ['[192.0.2.53]:53', false],
    ['2001:db8::53:', false],
  ])('name servers "%s" are accepted: %s', (servers, accepted) => {
    expect(problemsOf({ DNS_SERVERS: servers }) === '').toBe(accepted)
  })

  test.each<[Record<string, string>, RegExp]>([
    [{ BOUNCE_PORT: '2525' }, /^RETURN_PATH_HOST: /],
    [{ DASHBOARD_ORIGINS: 'https://app.example.com/, http://localhost:3000' }, /^$/],
    [{ DASHBOARD_ORIGINS: 'https://app.example.com,app.example.com' }, /^DASHBOARD_ORIGINS: must be origins such as/],
    [{ DASHBOARD_ORIGINS: 'https://app.example.com/dashboard' }, /^DASHBOARD_ORIGINS: must be origins such as/],
    [{ DASHBOARD_ORIGINS: 'app.example.com:8080' }, /^DASHBOARD_ORIGINS: must be origins such as/],
    [{ ALLOWED_HOSTS: 'staging.example.com, other.example' }, /^$/],
    [{ ALLOWED_HOSTS: 'http://x/' }, /^ALLOWED_HOSTS: must be names such as/],
    [{ ALLOWED_HOSTS: 'staging.example.com:8080' }, /^ALLOWED_HOSTS: must be names such as/],
    [{ BOUNCE_PORT: '2525', RETURN_PATH_HOST: 'bounces.example.com' }, /^$/],
    [{ SES_ACCESS_KEY_ID: 'x' }, /^SES_ACCESS_KEY_ID and SES_SECRET_ACCESS_KEY: /],
    [{ SNS_CERTIFICATE_URL: 'https://sns.us-east-1.amazonaws.com/x.pem' }, /^SNS_CERTIFICATE and SNS_CERTIFICATE_URL: /],
    [{ SNS_CERTIFICATE: 'x' }, /^SNS_CERTIFICATE: must be a certificate/],
    [{ SNS_TOPIC_ARNS: 'arn:aws:sns:eu-central-1:123456789012:a, arn:aws-cn:sns:cn-north-1:123456789012:b.fifo' }, /^$/],
    [{ SNS_TOPIC_ARNS: 'arn:aws:sqs:eu-central-1:123456789012:a' }, /^SNS_TOPIC_ARNS: /],
    [{ SNS_TOPIC_ARNS: '*' }, /^SNS_TOPIC_ARNS: /],
    [{ EMAIL_TRANSPORT: 'ses', SES_REGION: 'eu-central-1' }, /^$/],
    [{ SES_REGION: 'x.evil.example' }, /^SES_REGION: /],
  ])('%j: %s', (env, problems) => {
    expect(problemsOf(env)).toMatch(problems)
  })

  test('requiring verified addresses in production needs mail of the installation’s own', () => {
    const production = { NODE_ENV: 'production', APP_SECRET: 'x'.repeat(32), EMAIL_TRANSPORT: 'smtp://localhost:25' }
    expect(problemsOf({ ...production, REQUIRE_VERIFIED_EMAIL: 'true' })).toMatch(/^REQUIRE_VERIFIED_EMAIL: needs PLATFORM_FROM/)
    const platform = { PLATFORM_FROM: 'hello@acme.test', PLATFORM_PROJECT_ID: `prj_${'1'.repeat(26)}` }
    expect(readConfig({ ...production, ...platform, REQUIRE_VERIFIED_EMAIL: 'true' }).verifiedOnly).toBe(true)
    expect(readConfig({ ...production, REQUIRE_VERIFIED_EMAIL: 'false' }).verifiedOnly).toBe(false)
    expect(readConfig({ REQUIRE_VERIFIED_EMAIL: 'true' }).verifiedOnly).toBe(true)
  })

  test('webhooks may call this machine outside production only', () => {
    const production = { NODE_ENV: 'production', APP_SECRET: 'x'.repeat(32), EMAIL_TRANSPORT: 'smtp://localhost:25' }
    expect(readConfig({}).webhooksToLocalhost).toBe(true)
    expect(readConfig({ WEBHOOKS_TO_LOCALHOST: 'false' }).webhooksToLocalhost).toBe(false)
    expect(readConfig(production).webhooksToLocalhost).toBe(false)
    expect(problemsOf({ ...production, WEBHOOKS_TO_LOCALHOST: 'true' })).toMatch(/^WEBHOOKS_TO_LOCALHOST: cannot/)
  })

  test('an empty value counts as not set', () => {
    expect(readConfig({ PORT: '', HOST: '' })).toMatchObject({ PORT: 8080, HOST: '127.0.0.1' })
  })
})
