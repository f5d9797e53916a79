import { page } from '../../../kit/html/layout.ts'
import { html, type PageAnswer } from '../../../kit/html/page.ts'

/** What the address of an installation shows to a browser: where everything is. */
export function homePage(view: { email: string | undefined; explorer: boolean; mailbox: boolean }): PageAnswer {
  const { email, explorer, mailbox } = view
  return page({
    title: 'Postwire',
    body: html`<h1>Postwire</h1>
<p>${email === undefined ? 'An email platform for product teams: this is its API.' : `You are signed in as ${email}.`}</p>
<ul>
<li><a href="/docs">Reference</a> of every endpoint, with its errors</li>
${explorer ? html`<li><a href="/graphql">GraphiQL</a>, to ask and to watch</li>` : null}
${mailbox ? html`<li><a href="/mailbox">Mailbox</a>, where mail is caught instead of sent</li>` : null}
</ul>`,
  })
}
