import { renderGraphiQL } from '@graphql-yoga/render-graphiql'

const welcome = `# Welcome to Postwire. Write the secret key of your project (sk_...) behind "Bearer "
# in the headers below, then press play.

query FirstLook {
  project {
    id
    name
  }
  contacts(first: 5) {
    totalCount
    nodes {
      id
      email
      subscribed
    }
  }
}
`

/** Headers of the page: it may run what it carries and call this server, and load nothing from anywhere else. */
export const graphiqlHeaders: Record<string, string> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-cache',
}

let page: string | undefined

/** GraphiQL in one page, scripts and styles included, so that it works without the Internet. */
export function graphiqlPage(): string {
  page ??= renderGraphiQL({
    title: 'Postwire GraphiQL',
    endpoint: '/graphql',
    defaultQuery: welcome,
    headers: JSON.stringify({ Authorization: 'Bearer ' }, null, 2),
    defaultEditorToolsVisibility: 'headers',
    shouldPersistHeaders: false,
    subscriptionsProtocol: 'SSE',
  })
  return page
}
