import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type InputFieldMap,
  type InputShapeFromFields,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  type TypeParam,
} from '@pothos/core'
import type { GraphQLFieldResolver } from 'graphql'
import { type Access, authorize, type Demand, requireCaller } from './access.ts'
import type { Ctx } from './context.ts'

/** What a field demands of its callers, where a word alone does not say it. */
export interface FieldAccess<Parent = unknown, Args = unknown> {
  who: Access
  /** A mutation that also works while the project is suspended. */
  whileSuspended?: boolean
  /** Open to somebody who has yet to prove their address, where that is required. */
  whileUnverified?: boolean
  /** The project the field is about, where that is not the project of the call. */
  project?: (parent: Parent, args: Args) => string | null | undefined
  /** A user the field is about: that user needs no role. */
  oneself?: (args: Args) => string
}

/** The same with what the kind of the field adds. */
type StatedAccess = FieldAccess & { write: boolean }
type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>

declare global {
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      access: AccessPlugin<Types>
    }
    interface FieldOptions<
      Types extends SchemaTypes = SchemaTypes,
      ParentShape = unknown,
      Type extends TypeParam<Types> = TypeParam<Types>,
      Nullable extends FieldNullability<Type> = FieldNullability<Type>,
      Args extends InputFieldMap = InputFieldMap,
      ResolveShape = unknown,
      ResolveReturnShape = unknown,
    > {
      /**
       * Who may ask for the field, in the words of REST rows. Without it a query, mutation or subscription takes the secret
       * key or the session of a member, and a field of an object whoever was given that object.
       */
      access?: Access | FieldAccess<ParentShape, InputShapeFromFields<Args>>
    }
  }
}

const roots = ['Query', 'Mutation', 'Subscription']
const fallback: Access = 'secret'

/** Gives every field the option `access`, and holds it to that before it resolves. */
class AccessPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { access = roots.includes(field.kind) ? fallback : undefined } = field.pothosOptions
    if (access === undefined) return field
    const stated = typeof access === 'string' ? { who: access } : access
    return { ...field, extensions: { ...field.extensions, access: { ...stated, write: field.kind === 'Mutation' } } }
  }

  override wrapResolve(resolve: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    const access = accessOf(field)
    // Who may subscribe is decided when somebody does; each event is then theirs.
    if (!access || field.kind === 'Subscription') return resolve
    return (parent, args, ctx, info) => resolve(parent, args, authorizeField(contextOf(ctx), access, parent, args), info)
  }

  override wrapSubscribe(subscribe: Resolver<Types> | undefined, field: PothosOutputFieldConfig<Types>): Resolver<Types> | undefined {
    const access = accessOf(field)
    if (!access || !subscribe) return subscribe
    return (parent, args, ctx, info) => subscribe(parent, args, authorizeField(contextOf(ctx), access, parent, args), info)
  }
}

// Every schema of ours is run with a Ctx; a plugin is written for any.
function contextOf(context: object): Ctx {
  return context as Ctx
}

SchemaBuilder.registerPlugin('access', AccessPlugin)

/** What a field demands of its callers, and whether it changes something; undefined for one that demands nothing of its own. */
export function accessOf({ extensions }: { extensions?: { access?: unknown } | null | undefined }): StatedAccess | undefined {
  // GraphQL leaves extensions untyped; only the plugin writes this one.
  return extensions?.access as StatedAccess | undefined
}

/**
 * Refuses, before anything of an operation has run, what its caller may not ask for: all of the policy where the field is
 * about the project of the call, otherwise the part that holds whatever its arguments name.
 */
export function authorizeAhead(ctx: Ctx, { who, project, oneself, ...rest }: StatedAccess): void {
  if (project || oneself) requireCaller(ctx, who)
  else authorize(ctx, { access: who, ...rest })
}

function authorizeField(ctx: Ctx, { who, project, oneself, ...rest }: StatedAccess, parent: unknown, args: object): Ctx {
  const demand: Demand = { access: who, ...rest, project: project?.(parent, args) ?? undefined, oneself: oneself?.(args) }
  return authorize(ctx, demand)
}
