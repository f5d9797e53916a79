import { builder, orNull } from '../../kit/builder.ts'
import { enumOf, inputOf } from '../../kit/zod-input.ts'
import { createProject, getProject, getProjectKeys, listProjects, regenerateKeys, updateProject } from './projects.ts'
import { getSetupState } from './setup.ts'
import {
  type KeyPair,
  ProjectChange,
  ProjectDraft,
  type Project as ProjectShape,
  type SetupState,
  Tracking as TrackingShape,
} from './shapes.ts'

const Tracking = enumOf('Tracking', TrackingShape, 'Which mails get an open pixel and counted links.', {
  ENABLED: 'All mails.',
  DISABLED: 'None.',
  MARKETING_ONLY: 'Marketing mail only.',
})

const ProjectKeys = builder.objectRef<KeyPair>('ProjectKeys').implement({
  description: 'Both API keys of a project.',
  fields: (t) => ({
    public: t.exposeString('public', { description: 'May only call POST /v1/track.' }),
    secret: t.exposeString('secret', { description: 'May call everything. Keep it on your servers.' }),
  }),
})

const Setup = builder.objectRef<SetupState>('SetupState').implement({
  description: 'How far a project has come.',
  fields: (t) => ({
    hasSubscription: t.exposeBoolean('hasSubscription', { description: 'Whether it pays for its mail.' }),
    hasVerifiedDomain: t.exposeBoolean('hasVerifiedDomain', { description: 'Whether it may send from a domain.' }),
    contactCount: t.exposeInt('contactCount', { description: 'Its contacts, counted up to 100,000.' }),
    lastCampaignSentAt: t.expose('lastCampaignSentAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When a campaign was last sent; null when none was.',
    }),
    hasEnabledWorkflow: t.exposeBoolean('hasEnabledWorkflow', { description: 'Whether a workflow is enabled.' }),
  }),
})

const Project = builder.objectRef<ProjectShape>('Project')

builder.node(Project, {
  description: 'A tenant: contacts, mails, domains and templates belong to exactly one project.',
  id: { resolve: ({ id }) => id, description: 'Opaque; starts with `prj_`.' },
  loadWithoutCache: (id, ctx) => orNull(getProject(ctx, { id })),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Stands as the sender’s name where a mail gives none.' }),
    publicKey: t.exposeString('public', { description: 'The key (`pk_…`) for browsers and apps: may only call POST /v1/track.' }),
    keys: t.field({
      type: ProjectKeys,
      description: 'Both API keys. Fails with FORBIDDEN for members.',
      access: { who: 'admin', project: ({ id }) => id },
      resolve: (project, _args, ctx) => getProjectKeys(ctx, project),
    }),
    tracking: t.expose('tracking', { type: Tracking }),
    language: t.exposeString('language', { description: 'Language of hosted pages and footers for contacts without a `locale`.' }),
    disabled: t.exposeBoolean('disabled', { description: 'A suspended project can be read but not changed, and sends nothing.' }),
    disabledReason: t.exposeString('disabledReason', { nullable: true }),
    setupState: t.field({
      type: Setup,
      description: 'How far it has come.',
      access: { who: 'secret', project: ({ id }) => id },
      resolve: (project, _args, ctx) => getSetupState(ctx, project),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

builder.queryField('project', (t) =>
  t.field({
    type: Project,
    description:
      'The project of the key, or one of who is signed in: `id` chooses it, otherwise X-Project-Id, otherwise their only one. Fails with RESOURCE_NOT_FOUND for any other.',
    args: { id: t.arg.id({ description: 'Which one, where somebody is signed in.' }) },
    access: { who: 'secret', project: (_parent, { id }) => id },
    resolve: (_parent, { id }, ctx) => getProject(ctx, { id }),
  }),
)

builder.objectField('User', 'projects', (t) =>
  t.field({
    type: [Project],
    description: 'The projects they are a member of, newest first.',
    access: 'user',
    resolve: (_user, _args, ctx) => listProjects(ctx),
  }),
)

const draft = inputOf('CreateProjectInput', ProjectDraft)
const change = inputOf('UpdateProjectInput', ProjectChange.omit({ id: true }), 'What is left out stays as it is.')

builder.mutationFields((t) => ({
  createProject: t.field({
    type: Project,
    description: 'Creates a project that who is signed in owns. Both of its API keys are in `keys`.',
    args: draft.args(t),
    access: 'user',
    resolve: (_parent, args, ctx) => createProject(ctx, draft.read(args)),
  }),
  updateProject: t.field({
    type: Project,
    description: 'Changes the project of the call. Fails with FORBIDDEN for members.',
    args: change.args(t),
    access: 'admin',
    resolve: (_parent, args, ctx) => updateProject(ctx, { ...change.read(args), id: ctx.projectId }),
  }),
  regenerateKeys: t.field({
    type: ProjectKeys,
    description:
      'Replaces both keys at once. The old ones end with the answer in every process; live sockets are closed with 4401. Fails with FORBIDDEN for members.',
    access: 'admin',
    resolve: (_parent, _args, ctx) => regenerateKeys(ctx, { id: ctx.projectId }),
  }),
}))
