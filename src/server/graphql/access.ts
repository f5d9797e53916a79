import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql'
import { requireVerified } from '../../kit/access.ts'
import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { accessOf, authorizeAhead } from '../../kit/field-access.ts'

/** Refuses a whole operation before it runs when its caller may not use one of its root fields. */
export function checkAccess(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operation, selectionSet }: OperationDefinitionNode,
  ctx: Ctx,
): void {
  const fields = schema.getRootType(operation)?.getFields() ?? {}
  for (const name of rootFields(document, selectionSet)) {
    if (name === '__schema' || name === '__type') requireIntrospection(ctx)
    if (name.startsWith('__')) continue
    const access = fields[name] && accessOf(fields[name])
    if (!access) throw new Error(`The field ${name} of ${operation} does not declare who may use it`)
    authorizeAhead(ctx, access)
  }
}

// In production only people who are signed in, with a verified address where that is required, may read the schema.
function requireIntrospection({ config, actor }: Ctx): void {
  if (!config.production) return
  if (actor.kind !== 'user')
    throw new Failure('FORBIDDEN', 'In production only people who are signed in may use introspection.', {
      suggestion: 'Sign in, or read schema.graphql of the release.',
    })
  requireVerified({ config }, actor.emailVerified)
}

// Fragments cannot contain cycles here: the document has been validated.
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
