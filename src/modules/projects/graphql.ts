import { builder, orNull, payloadOf } from '../../kit/builder.ts'
import { enumOf, graphqlInput } from '../../kit/zod-input.ts'
import { connectProjects, createProject, getProject, regenerateKeys, rotateWebhookSecret, updateProject } from './projects.ts'
import { getSetupState } from './setup.ts'
import {
  type KeyPair,
  ProjectChange,
  ProjectDraft,
  type Project as ProjectShape,
  type SetupState,
  Tracking as TrackingShape,
  type Utm,
} from './shapes.ts'

const Tracking = enumOf('Tracking', TrackingShape, 'Which emails are tracked with an open pixel and counted links.', {
  ENABLED: 'All emails.',
  DISABLED: 'None.',
  MARKETING_ONLY: 'Marketing email only.',
})

const ProjectKeys = builder.objectRef<Pick<KeyPair, 'public'> & Partial<KeyPair>>('ProjectKeys').implement({
  description: 'The API keys of a project.',
  fields: (t) => ({
    publicKey: t.exposeString('public', { description: 'The key (`pk_…`) for browsers and apps: may only call POST /v1/track.' }),
    secretKey: t.exposeString('secret', {
      nullable: true,
      description:
        'The key (`sk_…`) that may call everything except what needs a person: keep it on your servers. Null for members, who may not see it.',
    }),
  }),
})

const Setup = builder.objectRef<SetupState>('SetupState').implement({
  description: 'Which steps of its setup a project has done.',
  fields: (t) => ({
    hasSubscription: t.exposeBoolean('hasSubscription', { description: 'Whether it has a paid subscription.' }),
    hasVerifiedDomain: t.exposeBoolean('hasVerifiedDomain', { description: 'Whether it may send from a domain.' }),
    contactCount: t.exposeInt('contactCount', { description: 'Number of its contacts, counted up to 100,000.' }),
    lastCampaignSentAt: t.expose('lastCampaignSentAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When a campaign was last sent; null when none was.',
    }),
    hasEnabledWorkflow: t.exposeBoolean('hasEnabledWorkflow', { description: 'Whether a workflow is enabled.' }),
  }),
})

const UtmParameters = builder.objectRef<Utm>('Utm').implement({
  description: 'UTM parameters for the links of MARKETING and HEADLESS emails that have none.',
  fields: (t) => ({
    source: t.exposeString('source', { description: 'The parameter `utm_source`.' }),
    medium: t.exposeString('medium', { description: 'The parameter `utm_medium`.' }),
    campaign: t.exposeString('campaign', { nullable: true, description: 'The parameter `utm_campaign`; null for none.' }),
  }),
})

const Project = builder.objectRef<ProjectShape>('Project')

builder.node(Project, {
  description: 'A tenant: contacts, emails, domains and templates belong to exactly one project.',
  id: { resolve: ({ id }) => id, description: 'Opaque; starts with `prj_`.' },
  loadWithoutCache: (id, ctx) => orNull(getProject(ctx, { id })),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What people call it; the sender’s name of emails that have none.' }),
    keys: t.field({
      type: ProjectKeys,
      description: 'Its API keys, as far as the caller may see them.',
      resolve: (project) => project,
    }),
    webhookSecret: t.exposeString('webhookSecret', {
      nullable: true,
      description:
        'The secret (`whsec_…`) that signs the webhooks of its workflows (Standard Webhooks), for receivers to check them with; null for members.',
    }),
    tracking: t.expose('tracking', { type: Tracking, description: 'Which emails are tracked with an open pixel and counted links.' }),
    language: t.exposeString('language', {
      description: 'Language of hosted pages and footers for contacts without a `locale`, such as `en` or `pt-BR`.',
    }),
    utm: t.expose('utm', {
      type: UtmParameters,
      nullable: true,
      description: 'What is added to the links of MARKETING and HEADLESS emails that have no UTM parameters; null for nothing.',
    }),
    disabled: t.exposeBoolean('disabled', {
      description: 'Whether it is suspended: then it can be read but not changed, and sends nothing.',
    }),
    setupState: t.field({
      type: Setup,
      description: 'Which steps of its setup are done.',
      access: { who: 'secret', project: ({ id }) => id },
      resolve: (project, _args, ctx) => getSetupState(ctx, project),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
})

builder.queryField('project', (t) =>
  t.field({
    type: Project,
    description:
      'The project of the key, or one of the person signed in: the one with `id`, otherwise the one X-Project-Id names, otherwise their only one. Fails with RESOURCE_NOT_FOUND for any other.',
    args: { id: t.arg.id({ description: 'Id of the project, where a person is signed in.' }) },
    access: { who: 'secret', project: (_parent, { id }) => id },
    resolve: (_parent, { id }, ctx) => getProject(ctx, { id }),
  }),
)

const ProjectConnection = builder.connectionObject(
  { type: Project, name: 'ProjectConnection', description: 'Projects, newest first.' },
  { name: 'ProjectEdge' },
)

builder.objectField('User', 'projects', (t) =>
  t.connection(
    {
      type: Project,
      description: 'The projects they are a member of, newest first.',
      access: 'user',
      resolve: (_user, args, ctx) => connectProjects(ctx, args),
    },
    ProjectConnection,
  ),
)

const draft = graphqlInput('CreateProjectInput', ProjectDraft)
const change = graphqlInput('UpdateProjectInput', ProjectChange.omit({ id: true }), { description: 'What is left out stays as it is.' })

const CreateProjectPayload = payloadOf<{ project: ProjectShape }>('CreateProjectPayload', (t) => ({
  project: t.expose('project', { type: Project, description: 'The new project; both of its API keys are in `keys`.' }),
}))
const UpdateProjectPayload = payloadOf<{ project: ProjectShape }>('UpdateProjectPayload', (t) => ({
  project: t.expose('project', { type: Project, description: 'The project as it is now.' }),
}))
const RegenerateKeysPayload = payloadOf<{ keys: KeyPair }>('RegenerateKeysPayload', (t) => ({
  keys: t.expose('keys', { type: ProjectKeys, description: 'The new keys.' }),
}))
const RotateWebhookSecretPayload = payloadOf<{ project: ProjectShape }>('RotateWebhookSecretPayload', (t) => ({
  project: t.expose('project', { type: Project, description: 'The project with its new `webhookSecret`.' }),
}))

builder.mutationFields((t) => ({
  createProject: t.field({
    extensions: { waits: true },
    type: CreateProjectPayload,
    description:
      'Creates a project that the person signed in owns. Fails with LIMIT_REACHED beyond 20 owned projects (MAX_PROJECTS_PER_USER).',
    args: draft.args(t),
    access: 'user',
    resolve: async (_parent, args, ctx) => ({ project: await createProject(ctx, draft.read(args)) }),
  }),
  updateProject: t.field({
    type: UpdateProjectPayload,
    description: 'Changes the project of the call. For keys, admins and owners; fails with FORBIDDEN.',
    args: change.args(t),
    access: 'admin',
    resolve: async (_parent, args, ctx) => ({ project: await updateProject(ctx, { ...change.read(args), id: ctx.projectId }) }),
  }),
  regenerateKeys: t.field({
    extensions: { waits: true, endsRights: true },
    type: RegenerateKeysPayload,
    description:
      'Replaces both API keys of the project of the call. When it answers the old ones have stopped working in every process, and their live sockets are closed with 4401. For keys, admins and owners; fails with FORBIDDEN.',
    access: 'admin',
    resolve: async (_parent, _args, ctx) => ({ keys: await regenerateKeys(ctx, { id: ctx.projectId }) }),
  }),
  rotateWebhookSecret: t.field({
    type: RotateWebhookSecretPayload,
    description:
      'Replaces the secret that signs webhooks of the project of the call. For 24 hours they carry a signature with the old one as well. For keys, admins and owners; fails with FORBIDDEN.',
    access: 'admin',
    resolve: async (_parent, _args, ctx) => ({ project: await rotateWebhookSecret(ctx, { id: ctx.projectId }) }),
  }),
}))
