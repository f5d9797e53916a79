import { hasDashboard } from '../kit/dashboard.ts'
import type { World } from '../kit/world.ts'
import { reachableAt } from '../server/http.ts'
import { type DemoFile, isUnderWay } from './demo/demo.ts'

/**
 * Prints to standard output where everything is, with commands that can be pasted and work unchanged. Prints nothing in
 * production, where the log warns of a wrong PUBLIC_URL and of an open mailbox, and nothing in a worker: their log is enough.
 */
export function greet(world: World, url: string | undefined, demo: DemoFile | null): void {
  if (world.config.production) warnOf(world)
  else if (url !== undefined) console.log(banner(world, reachableAt(url), demo))
}

// Without PUBLIC_URL the links of an installation lead nowhere for others; with http whoever is on their way reads what passes.
function warnOf({ config: { PUBLIC_URL, mailbox }, log }: World): void {
  if (mailbox)
    log.warn(
      'start: everybody who reaches this server reads all captured email at /mailbox, links to new passwords included: let only yourself reach it, or send email (EMAIL_TRANSPORT)',
    )
  if (PUBLIC_URL === undefined)
    log.warn('start: PUBLIC_URL is not set, so that links in emails lead to this machine only: set it to the address that people open')
  else if (new URL(PUBLIC_URL).protocol === 'http:')
    log.warn('start: PUBLIC_URL begins with http, so that passwords, session cookies and keys can be read on their way: use https')
}

/** The text of a start: where everything is, the dashboard first. */
export function banner(world: World, url: string, demo: DemoFile | null): string {
  const { config } = world
  const places = [
    ...(hasDashboard(world) ? [['Dashboard', `${url}/app/`]] : []),
    ...(demo ? [['Account', `${demo.email}, password ${demo.password}`]] : []),
    ['GraphiQL', `${url}/graphql`],
    ...(config.mailbox ? [['Mailbox', `${url}/mailbox`]] : []),
    ['Reference', `${url}/docs`],
    ...(demo ? keyLines(demo) : []),
  ]
  const table = places.map(([name = '', value]) => `  ${name.padEnd(12)}${value}`)
  return ['', `Postwire is running at ${url}`, '', ...table, ...(demo ? tryIt(demo, config.mailbox) : []), ''].join('\n')
}

function keyLines(demo: DemoFile): string[][] {
  return [
    ['Secret key', demo.secret],
    ['Public key', demo.public],
  ]
}

function tryIt(demo: DemoFile, mailbox: boolean): string[] {
  const mail = { to: 'ada@demo.test', from: demo.from, subject: 'Hello {{ name }}', body: '<p>It works, {{ name }}.</p>' }
  return [
    ...(isUnderWay(demo) ? ['', 'Six weeks of demo data are being made; what you send meanwhile is delivered right after.'] : []),
    '',
    mailbox ? 'Send an email, then read it in the mailbox:' : 'Send an email:',
    '',
    `curl ${demo.url}/v1/send -H 'Authorization: Bearer ${demo.secret}' \\`,
    `  -H 'Content-Type: application/json' -d '${JSON.stringify(mail)}'`,
    '',
    'Watch it live: paste this into GraphiQL, which opens with the secret key of this project:',
    '',
    subscription,
  ]
}

/** A subscription to paste: everything that happens in the project from now on. */
export const subscription = 'subscription { activity { cursor type timestamp contactEmail metadata } }'
