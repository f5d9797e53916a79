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
import { type Access, authorize, type Demand, isWrite, requireCaller, requireProjectAccess } from './access.ts'
import type { Ctx, Rights } from './context.ts'

/** What a field requires of its callers, where `Access` alone is not enough. */
export interface FieldAccess<Parent = unknown, Args = unknown> {
  who: Access
  /** A mutation that also works while the project is suspended. */
  whileSuspended?: boolean
  /** Allowed before the caller has verified their address, where that is required. */
  whileUnverified?: boolean
  /** The project the field is about, if it is not the project of the call; not with the access `none` or `user`, nor where a subscription reaches. */
  project?: (parent: Parent, args: Args) => string | null | undefined
  /** The user the field is about: that user needs no role; not where a subscription reaches. */
  oneself?: (args: Args) => string
}

/** A FieldAccess with what follows from the kind of the field. */
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
       * Who may use the field, as for REST routes. Default: for queries, mutations and subscriptions the secret key or the
       * session of a member; for fields of an object every caller who received the object.
       */
      access?: Access | FieldAccess<ParentShape, InputShapeFromFields<Args>>
    }
  }
}

const roots = ['Query', 'Mutation', 'Subscription']
const fallback: Access = 'secret'

/** Adds the option `access` to fields, and checks it before a field resolves. */
class AccessPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { access = roots.includes(field.kind) ? fallback : undefined } = field.pothosOptions
    if (access === undefined) return field
    const stated: { who: Access; project?: unknown } = typeof access === 'string' ? { who: access } : access
    if (stated.project) requireProjectAccess(stated.who, `${field.parentType}.${field.name}`)
    return { ...field, extensions: { ...field.extensions, access: { ...stated, write: isWrite(field) } } }
  }

  override wrapResolve(resolve: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    const access = accessOf(field)
    // Access is checked when the subscription starts, not for every event.
    if (!access || field.kind === 'Subscription') return resolve
    const stated = { ...access, waits: access.write || field.extensions?.waits === true }
    if (field.kind !== 'Mutation')
      return (parent, args, ctx, info) => resolve(parent, args, authorizeField(contextOf(ctx), stated, parent, args), info)
    return async (parent, args, ctx, info) =>
      resolve(parent, args, authorizeField(await afterOthers(contextOf(ctx)), stated, parent, args), info)
  }

  override wrapSubscribe(subscribe: Resolver<Types> | undefined, field: PothosOutputFieldConfig<Types>): Resolver<Types> | undefined {
    const access = accessOf(field)
    if (!access || !subscribe) return subscribe
    const stated = { ...access, waits: false }
    return (parent, args, ctx, info) => subscribe(parent, args, authorizeField(contextOf(ctx), stated, parent, args), info)
  }
}

// The calls of which a mutation has begun.
const begun = new WeakSet<Ctx>()

// The mutations of an operation run one after the other, each as long as it takes: meanwhile the rights of its caller may have ended.
async function afterOthers(ctx: Ctx): Promise<Ctx> {
  if (begun.has(ctx)) return ctx.rightsNow ? { ...ctx, ...(await ctx.rightsNow()) } : ctx
  begun.add(ctx)
  return ctx
}

// The schema is always executed with a Ctx, which the types of a plugin cannot express.
function contextOf(context: object): Ctx {
  return context as Ctx
}

SchemaBuilder.registerPlugin('access', AccessPlugin)

/** What a field requires of its callers, and whether it changes something; undefined for a field that declares no access. */
export function accessOf({ extensions }: { extensions?: { access?: unknown } | null | undefined }): StatedAccess | undefined {
  // GraphQL leaves extensions untyped; only the plugin writes this one.
  return extensions?.access as StatedAccess | undefined
}

/**
 * Checks the access of a root field before anything of its operation runs: the whole policy if the field is about the project
 * of the call, otherwise the part that does not depend on its arguments.
 */
export function authorizeAhead(ctx: Ctx, { who, project, oneself, ...rest }: StatedAccess): void {
  if (project || oneself) requireCaller(ctx, who)
  else authorize(ctx, { access: who, ...rest })
}

// What a field waits for asks for the rights of its caller on this field: the project may have been suspended, or the role lowered.
// Others keep the call as it is, which is what their loaders share.
function authorizeField(
  ctx: Ctx,
  { who, project, oneself, waits, ...rest }: StatedAccess & { waits: boolean },
  parent: unknown,
  args: object,
): Ctx {
  const demand: Demand = { access: who, ...rest, project: project?.(parent, args) ?? undefined, oneself: oneself?.(args) }
  const authorized = authorize(ctx, demand)
  const { rightsNow } = ctx
  if (!waits || !rightsNow) return authorized
  const stillMay = async (): Promise<Rights> => {
    const rights = await rightsNow()
    authorize({ ...ctx, ...rights }, demand)
    return rights
  }
  return { ...authorized, rightsNow: stillMay }
}
