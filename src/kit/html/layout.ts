import { createHash } from 'node:crypto'
import { html, Markup, type PageAnswer } from './page.ts'

const style = `*{box-sizing:border-box}
:root{color-scheme:light dark;--accent:#1d4ed8}
body{margin:0;font:16px/1.5 system-ui,sans-serif;color:#1f2937;background:#f3f4f6}
main{max-width:32rem;margin:12vh auto;padding:2rem;background:#fff;border-radius:12px;box-shadow:0 1px 3px #0002}
main.wide{max-width:60rem;margin:2rem auto}
h1{font-size:1.4rem;margin:0 0 1rem;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:1.5rem 0 .5rem}
p{margin:0 0 1rem;overflow-wrap:anywhere}
a{color:#1d4ed8}
button{font:inherit;padding:.6rem 1.2rem;border:1px solid transparent;border-radius:8px;background:#1d4ed8;color:#fff;cursor:pointer}
button.secondary{border-color:currentColor;background:transparent;color:var(--accent)}
main>:last-child{margin-bottom:0}
label{display:block;margin:0 0 .25rem;font-weight:600}
input{width:100%;font:inherit;color:inherit;padding:.55rem .7rem;margin:0 0 1rem;border:1px solid #6b7280;border-radius:8px;background:transparent}
[role=alert]{padding:.6rem .8rem;border-radius:8px;background:#fee2e2;color:#7f1d1d}
button:focus-visible,a:focus-visible,input:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.quiet{color:#6b7280;font-size:.9rem}
table{width:100%;margin:0 0 1rem;border-collapse:collapse;table-layout:fixed}
th,td{text-align:start;padding:.5rem .6rem;border-bottom:1px solid #e5e7eb;overflow-wrap:anywhere;vertical-align:top}
th.main{width:50%}
td.cut{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
nav{display:flex;gap:1rem;margin:1rem 0;border-bottom:1px solid #e5e7eb}
nav a{padding:.4rem 0;text-decoration:none;color:#4b5563}
nav a[aria-current]{border-bottom:2px solid #1d4ed8;color:#1d4ed8;font-weight:600}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.85rem;margin:0}
iframe{width:100%;height:60vh;border:1px solid #e5e7eb;border-radius:8px;background:#fff}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:0 0 1rem;overflow-wrap:anywhere}
dt{color:#6b7280}dd{margin:0}
@media(max-width:36rem){main{margin:1rem;padding:1.5rem}form button{width:100%;padding:.8rem 1.2rem}}
@media(prefers-color-scheme:dark){:root{--accent:#93c5fd}body{background:#111827;color:#e5e7eb}main{background:#1f2937}a{color:#93c5fd}th,td,nav{border-color:#374151}
nav a{color:#9ca3af}nav a[aria-current]{color:#93c5fd;border-color:#93c5fd}.quiet,dt{color:#9ca3af}}`

const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

/** A complete page without scripts and external resources, which no site may embed in a frame. */
export function page(view: {
  title: string
  /** The language of its text (BCP 47); default: English. */
  language?: string
  direction?: 'ltr' | 'rtl'
  body: Markup
  wide?: boolean
  status?: number
}): PageAnswer {
  const { title, language = 'en', direction = 'ltr', body, wide = false, status = 200 } = view
  const text = html`<!doctype html>
<html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
<title>${title}</title><link rel="icon" href="/favicon.svg"><style>${new Markup(style)}</style></head>
<body><main${wide ? new Markup(' class="wide"') : ''}>${body}</main></body></html>`
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      // Not no-referrer: the Origin of our own forms would be "null", as that of any page that hides where it comes from.
      'Referrer-Policy': 'same-origin',
      'Content-Security-Policy': `default-src 'none'; style-src ${styleHash}; img-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    },
    body: text.toString(),
  }
}

/** A page that explains why something cannot be done, with a link to go back to. */
export function errorPage({ title, text, status, home }: { title: string; text: string; status: number; home: string }): PageAnswer {
  return page({ title, status, body: html`<h1>${title}</h1><p role="alert">${text}</p><p><a href="${home}">Go back</a></p>` })
}
