import { page } from '../../../kit/html/layout.ts'
import { html, type Markup, type PageAnswer } from '../../../kit/html/page.ts'
import type { HomeView, InstallationState } from '../home.ts'

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

// An envelope on the accent colour, readable at 16 pixels.
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d4ed8"/><path d="M7 10h18v13H7z M7 10l9 8 9-8" fill="none" stroke="#fff" stroke-width="2.5" stroke-linejoin="round"/></svg>`

/** The icon browsers show beside the title of every page. */
export const iconAnswer: PageAnswer = {
  status: 200,
  headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' },
  body: icon,
}
