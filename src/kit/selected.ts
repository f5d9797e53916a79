import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'

/**
 * Whether a field is selected of the object that a resolver returns, or, of several names, of the objects below it, also in a fragment,
 * whatever directives say.
 */
export function isSelected({ fieldNodes, fragments }: GraphQLResolveInfo, ...path: [string, ...string[]]): boolean {
  const isIn = (set: SelectionSetNode | undefined, [name, ...below]: string[]): boolean =>
    set?.selections.some((one) => {
      if (one.kind === Kind.FIELD) return one.name.value === name && (below.length === 0 || isIn(one.selectionSet, below))
      return isIn(one.kind === Kind.INLINE_FRAGMENT ? one.selectionSet : fragments[one.name.value]?.selectionSet, [name ?? '', ...below])
    }) ?? false
  return fieldNodes.some(({ selectionSet }) => isIn(selectionSet, path))
}
