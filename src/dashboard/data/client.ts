import { Client, cacheExchange, fetchExchange, mapExchange, type OperationResult } from '@urql/core'
import { isSignedOut, problemOf } from './failures.ts'
import { isMissing } from './missing.ts'

/** Called when the API says that nobody is signed in (any more). */
export type OnSignedOut = () => void

/**
 * A client of the API for one project, or for none: the session is the cookie, the project a header. Each project has a client of its
 * own, so that what is cached of one is never shown in another.
 */
export function createClient(onSignedOut: OnSignedOut, project?: string): Client {
  const onResult = (result: OperationResult): OperationResult | undefined => {
    const { error } = result
    if (error && isSignedOut(problemOf(error))) onSignedOut()
    // What a page asks for by an id is null in the answer: the page says that it does not exist, and there is nothing to try again.
    if (result.operation.kind === 'query' && result.data && error && isMissing(result.operation, error))
      return { ...result, error: undefined }
    // Pages rely on it, and so do the types of the documents: what a query answers is there, or the whole answer is a problem.
    return error?.graphQLErrors.some(({ path }) => path?.length === 1) ? { ...result, data: undefined } : undefined
  }
  return new Client({
    url: '/graphql',
    // Queries as GET would be in logs and histories, with addresses of people in them.
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    fetchOptions: { credentials: 'same-origin', headers: project === undefined ? {} : { 'X-Project-Id': project } },
    exchanges: [cacheExchange, mapExchange({ onResult }), fetchExchange],
  })
}
