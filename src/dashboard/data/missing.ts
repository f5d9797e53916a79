import type { CombinedError, GraphQLRequest } from '@urql/core'
import type { DocumentNode, FieldNode, SelectionSetNode } from 'graphql'

/**
 * Whether all that is wrong with the answer to a query is that what it asks for by an id does not exist (any more): that is null in the
 * answer. Something that only narrows a list or an email, such as the segment of a filter, is refused like any other input.
 */
export function isMissing({ query }: Pick<GraphQLRequest, 'query'>, { graphQLErrors, networkError }: CombinedError): boolean {
  if (networkError || typeof query === 'string') return false
  return graphQLErrors.every(
    ({ path, extensions }) => String(extensions.code).endsWith('_NOT_FOUND') && isById(query as DocumentNode, path),
  )
}

const namesOne = /^id$|Id$/

function isById({ definitions }: DocumentNode, path: readonly (string | number)[] = []): boolean {
  const operation = definitions.find((definition) => definition.kind === 'OperationDefinition')
  let set: SelectionSetNode | undefined = operation?.selectionSet
  let field: FieldNode | undefined
  for (const name of path) {
    if (typeof name === 'number') continue
    field = set?.selections.find((one): one is FieldNode => one.kind === 'Field' && (one.alias ?? one.name).value === name)
    set = field?.selectionSet
  }
  return field?.arguments?.some(({ name }) => namesOne.test(name.value)) ?? false
}
