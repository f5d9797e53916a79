import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'

/** Whether a field is selected of the object that a resolver returns, also in a fragment, whatever its directives say. */
export function isSelected({ fieldNodes, fragments }: GraphQLResolveInfo, field: string): boolean {
  const isIn = (set: SelectionSetNode | undefined): boolean =>
    set?.selections.some((one) => {
      if (one.kind === Kind.FIELD) return one.name.value === field
      return isIn(one.kind === Kind.INLINE_FRAGMENT ? one.selectionSet : fragments[one.name.value]?.selectionSet)
    }) ?? false
  return fieldNodes.some(({ selectionSet }) => isIn(selectionSet))
}
