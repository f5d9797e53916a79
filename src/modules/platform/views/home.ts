import { page } from '../../../kit/html/layout.ts'
import { html, type Markup, type PageAnswer } from '../../../kit/html/page.ts'
import type { TransportProblem } from '../../../kit/transport-problem.ts'

/** The state of an installation, as the home page shows it outside production. */
export interface InstallationState {
  /** EMAIL_TRANSPORT without user and password. */
  transport: string
  transportState: 'ok' | 'unavailable' | 'unknown'
  problem: TransportProblem | null
  verifiedDomains: number
  pendingDomains: number
  /** Emails that have not been sent yet. */
  waiting: number
}

interface HomeView {
  email: string | undefined
  state: InstallationState | undefined
  explorer: boolean
  mailbox: boolean
}

/** The home page of an installation: links to its documentation and tools. */
export function homePage({ email, state, explorer, mailbox }: HomeView): PageAnswer {
  return page({
    title: 'Postwire',
    body: html`<h1>Postwire</h1>
<p>${email === undefined ? 'An email platform for product teams: this is its API.' : `You are signed in as ${email}.`}</p>
<ul>
<li><a href="/docs">Reference</a> of all endpoints and their errors</li>
${explorer ? html`<li><a href="/graphql">GraphiQL</a>, to run queries and subscriptions</li>` : null}
${mailbox ? html`<li><a href="/mailbox">Mailbox</a>, where emails are stored instead of being sent</li>` : null}
</ul>
${state ? stateTable(state) : null}`,
  })
}

function stateTable({ transport, transportState, problem, verifiedDomains, pendingDomains, waiting }: InstallationState): Markup {
  return html`<h2>This installation</h2>
${problem ? html`<p role="alert">The mail server cannot be used: ${problem.reason}. ${problem.advice}</p>` : null}
<dl><dt>Email transport</dt><dd>${transport} (${transportStates[transportState]})</dd>
<dt>Sender domains</dt><dd>${verifiedDomains} verified, ${pendingDomains} waiting for DNS records</dd>
<dt>Emails waiting</dt><dd>${waiting}</dd></dl>`
}

const transportStates = { ok: 'works', unavailable: 'cannot be used', unknown: 'not tried yet' }
