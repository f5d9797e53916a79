import { builder, payloadOf } from '../../../kit/builder.ts'
import { IfUnchanged } from '../../../kit/unchanged.ts'
import { enumMadeOf, enumOf, graphqlInput } from '../../../kit/zod-input.ts'
import type { ChangeActor } from '../../projects/changes.ts'
import { changedTemplate, Template } from '../graphql.ts'
import { ContentMode, type StoredTemplate } from '../shapes.ts'
import { ByTemplateVersion, VersionActorType } from './shapes.ts'
import type { VersionRow } from './sql.ts'
import { getTemplateVersion, getVersionBody, getVersionDocument, listTemplateVersions, restoreTemplateVersion } from './versions.ts'

const ActorType = enumOf('ActorType', VersionActorType, 'What made a change.', {
  user: 'A person who was signed in.',
  key: 'A program with the secret key.',
  system: 'Postwire itself.',
})

const Actor = builder.objectRef<ChangeActor & { email: string | null }>('TemplateVersionActor').implement({
  description: 'Who saved a version of a template.',
  fields: (t) => ({
    type: t.expose('type', { type: ActorType, description: 'What it was.' }),
    userId: t.id({ nullable: true, description: 'Id of the account of the person; null for others.', resolve: ({ id }) => id ?? null }),
    email: t.exposeString('email', {
      nullable: true,
      description: 'The address of the person; null for others, and without their account.',
    }),
  }),
})

const Version = builder.objectRef<VersionRow>('TemplateVersion').implement({
  description: 'What a template said when it was saved.',
  fields: (t) => ({
    no: t.exposeInt('no', { description: 'Its number: the versions of a template count from 1.' }),
    subject: t.exposeString('subject', { description: 'The subject line; a Liquid template.' }),
    previewText: t.exposeString('previewText', { nullable: true, description: 'The preview text; a Liquid template. Null for none.' }),
    mode: t.expose('mode', { type: enumMadeOf(ContentMode), description: 'What it was written in.' }),
    bytes: t.exposeInt('bytes', { description: 'Bytes of its body and document.' }),
    body: t.string({
      nullable: true,
      description:
        'HTML with Liquid. Null, with PAYLOAD_TOO_LARGE beside it, where the bodies that are read at once for an answer have more than 4 MB together.',
      extensions: { large: true },
      resolve: (version, _args, ctx) => getVersionBody(ctx, version),
    }),
    document: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The document that the body was made of; null for HTML. Within the same bound.',
      resolve: (version, _args, ctx) => getVersionDocument(ctx, version),
    }),
    actor: t.field({
      type: Actor,
      nullable: true,
      description: 'Who saved it; null where an earlier release did.',
      resolve: ({ actor, email }) => actor && { ...actor, email },
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was saved.' }),
  }),
})

builder.prismaObjectFields(Template, (t) => ({
  versions: t.field({
    type: [Version],
    description:
      'What it said when it was saved, the newest first: 20 at most, of 10 MB together. The first is what it says now; without any, it was last saved by an earlier release.',
    extensions: { maxItems: 20 },
    resolve: (template, _args, ctx) => listTemplateVersions(ctx, template),
  }),
  version: t.field({
    type: Version,
    nullable: true,
    description: 'One of its versions; fails with RESOURCE_NOT_FOUND, also for one that is not kept any more.',
    args: { no: t.arg.int({ required: true, description: 'Number of the version.' }) },
    resolve: ({ id }, { no }, ctx) => getTemplateVersion(ctx, { id, no }),
  }),
}))

const restoration = graphqlInput('RestoreTemplateVersionInput', ByTemplateVersion.extend(IfUnchanged.shape))

const RestoreTemplateVersionPayload = payloadOf<{ template: StoredTemplate }>('RestoreTemplateVersionPayload', (t) => ({
  template: t.field({ type: Template, description: 'The template as it is now.', resolve: changedTemplate }),
}))

builder.mutationField('restoreTemplateVersion', (t) =>
  t.field({
    type: RestoreTemplateVersionPayload,
    description:
      'Makes a template say again what one of its versions says: subject, preview text and body, with the document of a visual one. It is saved as a new version. Fails with TEMPLATE_NOT_FOUND, with RESOURCE_NOT_FOUND for a version that is not kept, and with CONFLICT when the template has changed since `ifUpdatedAt`.',
    args: restoration.args(t),
    resolve: async (_parent, args, ctx) => ({ template: await restoreTemplateVersion(ctx, restoration.read(args)) }),
  }),
)
