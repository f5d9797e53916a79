import { queryFromInfo } from '@pothos/plugin-prisma'
import { builder } from '../../kit/builder.ts'
import { connect, idWindow } from '../../kit/paging.ts'
import { inputOf } from '../../kit/zod-input.ts'
import { updateContact, upsertContact } from './contacts.ts'
import { ContactChange, ContactDraft } from './shapes.ts'

/** A contact, as GraphQL shows it. */
export const Contact = builder.prismaNode('Contact', {
  description: 'A person mail can be sent to. Its address is unique within the project.',
  id: { resolve: ({ id }) => id, description: 'Opaque; starts with `cnt_`.' },
  nullable: true,
  findUnique: (id, ctx) => ({ projectId_id: { projectId: ctx.projectId, id }, deletedAt: null }),
  select: { id: true, email: true, subscribed: true, data: true, createdAt: true, updatedAt: true },
  fields: (t) => ({
    email: t.exposeString('email', { description: 'Trimmed and lower-cased.' }),
    subscribed: t.exposeBoolean('subscribed', { description: 'Whether marketing mail may be sent to the contact.' }),
    data: t.expose('data', { type: 'JSON', description: 'Custom fields.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

builder.queryFields((t) => ({
  contacts: t.connection({
    type: Contact,
    description: 'The contacts of the project, newest first.',
    async resolve(_parent, args, ctx, info) {
      const query = await queryFromInfo({ context: ctx, info, typeName: 'Contact', paths: [['edges', 'node'], ['nodes']], awaitSelections: true })
      const window = idWindow('contact', args)
      const rows = await ctx.db.prisma.contact.findMany({ ...query, ...window, where: { ...window.where, projectId: ctx.projectId, deletedAt: null } })
      return connect(rows, args)
    },
  }),
}))

const draft = inputOf('UpsertContactInput', ContactDraft)
const change = inputOf('UpdateContactInput', ContactChange)

builder.mutationFields((t) => ({
  upsertContact: t.field({ type: Contact, args: draft.args(t), resolve: (_parent, args, ctx) => upsertContact(ctx, draft.read(args)) }),
  updateContact: t.field({ type: Contact, args: change.args(t), resolve: (_parent, args, ctx) => updateContact(ctx, change.read(args)) }),
}))
