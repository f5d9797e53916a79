import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql'
import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { accessOf, authorizeAhead } from '../../kit/field-access.ts'

/** Refuses an operation when its caller may not use one of its root fields: nothing of it runs then. */
export function checkAccess(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operation, selectionSet }: OperationDefinitionNode,
  ctx: Ctx,
): void {
  const fields = schema.getRootType(operation)?.getFields() ?? {}
  for (const name of rootFields(document, selectionSet)) {
    if (name === '__schema' || name === '__type') requireExplorer(ctx)
    if (name.startsWith('__')) continue
    const access = fields[name] && accessOf(fields[name])
    if (!access) throw new Error(`The field ${name} of ${operation} says nothing of who may ask for it`)
    authorizeAhead(ctx, access)
  }
}

// In production the schema is for who is signed in.
function requireExplorer({ config, actor }: Ctx): void {
  if (config.production && actor.kind !== 'user')
    throw new Failure('FORBIDDEN', 'In production introspection is for people who are signed in.', {
      suggestion: 'Sign in, or read schema.graphql of the release.',
    })
}

// Fragments cannot run in circles here: the document was validated.
function rootFields(document: DocumentNode, { selections }: SelectionSetNode): string[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection.name.value]
    if (selection.kind === Kind.INLINE_FRAGMENT) return rootFields(document, selection.selectionSet)
    const fragment = document.definitions.find(
      (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
    )
    return fragment?.kind === Kind.FRAGMENT_DEFINITION ? rootFields(document, fragment.selectionSet) : []
  })
}
