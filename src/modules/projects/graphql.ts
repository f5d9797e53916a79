import { builder, orNull } from '../../kit/builder.ts'
import { enumOf, inputOf } from '../../kit/zod-input.ts'
import { getProject, regenerateKeys, updateProject } from './projects.ts'
import { ProjectChange, type Project as ProjectShape, Tracking as TrackingShape } from './shapes.ts'

const Tracking = enumOf('Tracking', TrackingShape, 'Which mails get an open pixel and counted links.', {
  ENABLED: 'All mails.',
  DISABLED: 'None.',
  MARKETING_ONLY: 'Marketing mail only.',
})

/** The tenant, as GraphQL shows it. */
export const Project = builder.objectRef<ProjectShape>('Project')

builder.node(Project, {
  description: 'The project of the key: contacts, mails, domains and templates belong to exactly one project.',
  id: { resolve: ({ id }) => id, description: 'Opaque; starts with `prj_`.' },
  loadWithoutCache: (id, ctx) => orNull(getProject(ctx, { id })),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Stands as the sender’s name where a mail gives none.' }),
    publicKey: t.exposeString('public', { description: 'The key (`pk_…`) for browsers and apps: may only call POST /v1/track.' }),
    tracking: t.expose('tracking', { type: Tracking }),
    language: t.exposeString('language', { description: 'Language of hosted pages and footers for contacts without a `locale`.' }),
    disabled: t.exposeBoolean('disabled', { description: 'A suspended project can be read but not changed, and sends nothing.' }),
    disabledReason: t.exposeString('disabledReason', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

const ProjectKeys = builder.objectRef<ProjectShape>('ProjectKeys').implement({
  description: 'A fresh pair of keys. Store the secret one now.',
  fields: (t) => ({
    public: t.exposeString('public', { description: 'May only call POST /v1/track.' }),
    secret: t.exposeString('secret', { description: 'May call everything. Keep it on your servers.' }),
  }),
})

builder.queryField('project', (t) =>
  t.field({
    type: Project,
    description: 'The project of the key.',
    resolve: (_parent, _args, ctx) => getProject(ctx, { id: ctx.projectId }),
  }),
)

const change = inputOf('UpdateProjectInput', ProjectChange.omit({ id: true }), 'What is left out stays as it is.')

builder.mutationFields((t) => ({
  updateProject: t.field({
    type: Project,
    description: 'Changes the project of the key.',
    args: change.args(t),
    resolve: (_parent, args, ctx) => updateProject(ctx, { ...change.read(args), id: ctx.projectId }),
  }),
  regenerateKeys: t.field({
    type: ProjectKeys,
    description: 'Replaces both keys at once. The old ones end with the answer in every process; live sockets are closed with 4401.',
    resolve: (_parent, _args, ctx) => regenerateKeys(ctx, { id: ctx.projectId }),
  }),
}))
