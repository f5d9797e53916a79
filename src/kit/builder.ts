import SchemaBuilder, { type ObjectFieldsShape } from '@pothos/core'
import PrismaPlugin, { queryFromInfo } from '@pothos/plugin-prisma'
import RelayPlugin from '@pothos/plugin-relay'
import { GraphQLError, type GraphQLResolveInfo, Kind, type ValueNode } from 'graphql'
import { z } from 'zod'
import type PrismaTypes from '../generated/pothos.ts'
import { getDatamodel } from '../generated/pothos.ts'
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts'
import type { Ctx } from './context.ts'
import { Failure } from './errors.ts'
import './field-access.ts'
import './field-nullability.ts'
import { idUses, kindOfId } from './ids.ts'
import { Moment } from './shapes.ts'

// Operations return JSON columns as records of unknown, which Prisma's own type for them does not accept.
type Models = {
  [Model in keyof PrismaTypes]: Omit<PrismaTypes[Model], 'Shape'> & { Shape: OpenJson<PrismaTypes[Model]['Shape']> }
}
type OpenJson<Shape> = { [Column in keyof Shape]: Prisma.JsonValue extends Shape[Column] ? unknown : Shape[Column] }

interface UsedIn {
  usedInSegments: { id: string }[]
  usedInCampaigns: { id: string }[]
  usedInWorkflows: { id: string }[]
}

/**
 * The one schema builder: modules register their types, queries and mutations on it by being imported. Fields are
 * non-null unless they say so; ids are the same strings as in REST.
 */
export const builder = new SchemaBuilder<{
  Context: Ctx
  PrismaTypes: Models
  DefaultFieldNullability: false
  AsyncSelections: true
  Connection: { totalCount: () => Promise<number> }
  DefaultEdgesNullability: false
  // Declared by name for modules that add fields to a type of another module.
  Objects: {
    Project: { id: string }
    User: { id: string }
    Contact: { id: string }
    ContactFieldUsage: UsedIn
    Domain: { id: string; domain: string }
    DomainUsage: { templates: { id: string }[]; campaigns: { id: string }[]; canDelete: boolean }
    SegmentUsage: UsedIn & { canDelete: boolean }
    ImportRowError: { row: number; email: string; error: string }
    Suppression: { email: string; reason: string; emailId: string | null }
    TemplateUsage: { id: string }
    EventUsage: UsedIn & { name: string; totalCount: number; uniqueContacts: number }
  }
  Scalars: {
    ID: { Input: string; Output: string }
    Date: { Input: string; Output: string }
    DateTime: { Input: Date; Output: Date }
    JSON: { Input: unknown; Output: unknown }
  }
}>({
  plugins: ['access', 'nullability', PrismaPlugin, RelayPlugin],
  defaultFieldNullability: false,
  prisma: {
    // The tenancy guard extends the generated client without changing its interface, which TypeScript cannot see.
    client: (ctx) => ctx.db.prisma as unknown as PrismaClient,
    dmmf: getDatamodel(),
    exposeDescriptions: false,
  },
  relay: {
    encodeGlobalID: (_type, id) => String(id),
    // Text that is not an id is looked up like the id of something that does not exist: both answer null.
    decodeGlobalID: (id) => ({ typename: typeOfId(id), id }),
    cursorType: 'String',
    edgesFieldOptions: { nullable: false, description: 'The items of the page, each with its cursor.' },
    nodeFieldOptions: { nullable: false, description: 'The item.' },
    nodesOnConnection: { description: 'The items of the page, without their cursors.' },
    cursorFieldOptions: { description: 'Opaque: pass it as `after` or `before`.' },
    pageInfoTypeOptions: { description: 'Which part of its list a page is.' },
    pageInfoFieldOptions: { description: 'Which part of the list this page is.' },
    hasNextPageFieldOptions: { description: 'Whether more items follow.' },
    hasPreviousPageFieldOptions: { description: 'Whether items come before.' },
    startCursorFieldOptions: { description: 'Cursor of the first item; null on an empty page.' },
    endCursorFieldOptions: { description: 'Cursor of the last item: pass it as `after` for the next page. Null on an empty page.' },
    firstArgOptions: { description: 'Items from the start, 0 to 100. Default 20.' },
    lastArgOptions: { description: 'Items from the end, 0 to 100.' },
    afterArgOptions: { description: 'Only items after this cursor.' },
    beforeArgOptions: { description: 'Only items before this cursor.' },
    nodeTypeOptions: { description: 'Anything that has an id and can be asked for by it.' },
    nodeQueryOptions: {
      description: 'Anything of the project by its id; null when there is no such thing.',
      args: { id: { description: 'Any id of the project.' } },
    },
    nodesQueryOptions: {
      description:
        'Several things of the project by their ids, in order; null where there is no such thing. Each id counts towards the cost.',
      args: { ids: { description: 'Any ids of the project.' } },
    },
    defaultEdgeTypeOptions: { description: 'An item of a page, with its place in the list.' },
    idFieldOptions: { description: 'Opaque and unique; the same string as in REST.' },
  },
})

builder.queryType({
  description:
    'Everything that can be read. Every query sees one project and nothing else: that of the secret key, or for a person signed in the one that X-Project-Id names, which may be left out by members of a single project.',
})
builder.mutationType({
  description:
    'Everything that can be changed. Mutations of one request run one after another; when one answers it is complete, or has failed and changed nothing.',
})
builder.subscriptionType({
  description:
    'Everything that can be watched, over a websocket (protocol graphql-transport-ws) or server-sent events, at the same address.',
})

builder.globalConnectionField('totalCount', (t) =>
  t.int({
    description:
      'Items in the whole list; counted only when it is asked for. Of a list with a filter it is exact up to 100,000, and above that at most 60 s old.',
    resolve: ({ totalCount }) => totalCount(),
  }),
)

/** The payload type of a mutation, named `<Mutation>Payload`: an object, so that fields can be added later. */
export function payloadOf<Shape extends object>(
  name: `${string}Payload`,
  fields: ObjectFieldsShape<typeof builder.$inferSchemaTypes, Shape>,
) {
  const mutation = name.replace('Payload', '').replace(/^./, (first) => first.toLowerCase())
  return builder.objectRef<Shape>(name).implement({ description: `What \`${mutation}\` answers.`, fields })
}

/** Null where an operation fails with a status of 404; other failures are thrown. */
export async function orNull<Found>(found: Promise<Found>): Promise<Found | null> {
  return found.catch((error: unknown) => {
    if (error instanceof Failure && error.status === 404) return null
    throw error
  })
}

/** What Prisma must select for the nodes of the connection that a resolver returns. */
export async function selectionOf(context: Ctx, info: GraphQLResolveInfo, typeName: string) {
  return queryFromInfo({ context, info, typeName, paths: [['edges', 'node'], ['nodes']], awaitSelections: true })
}

/** The paths to the nodes of a nested connection, for the select of its field. */
export function nodesOf(typeName: string): string[] {
  const paths = [[{ name: 'edges' }, { name: 'node' }], [{ name: 'nodes' }]]
  // The type allows a single path, but the plugin follows several.
  return { getType: () => typeName, paths } as unknown as string[]
}

builder.scalarType('Date', {
  description: 'A day of the calendar, such as `2026-01-31`.',
  serialize: (value) => value,
  parseValue: readDay,
})

builder.scalarType('DateTime', {
  description: 'A moment: ISO 8601 in UTC with milliseconds, such as `2026-01-31T09:30:00.000Z`.',
  serialize: (value) => new Date(value as Date | string).toISOString(),
  parseValue: readDate,
})

builder.scalarType('JSON', {
  description: 'Any JSON value: object, list, string, number, boolean or null.',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => literal(node, variables ?? {}),
})

function typeOfId(id: string): string {
  const use = idUses[kindOfId(id) ?? 'project']
  return use === null || use === 'id' ? 'Project' : use
}

function readDate(value: unknown): Date {
  const { data, error } = Moment.safeParse(value)
  if (!data) throw new GraphQLError(`A DateTime ${error.issues[0]?.message}`)
  return data
}

function readDay(value: unknown): string {
  const { data } = z.iso.date().safeParse(value)
  if (data === undefined) throw new GraphQLError('A Date must be a day of the calendar, such as 2026-01-31')
  return data
}

function literal(node: ValueNode, variables: Record<string, unknown>): unknown {
  if (node.kind === Kind.OBJECT) return Object.fromEntries(node.fields.map((field) => [field.name.value, literal(field.value, variables)]))
  if (node.kind === Kind.LIST) return node.values.map((value) => literal(value, variables))
  if (node.kind === Kind.VARIABLE) return variables[node.name.value]
  if (node.kind === Kind.NULL) return null
  if (node.kind === Kind.INT || node.kind === Kind.FLOAT) return Number(node.value)
  return node.value
}
