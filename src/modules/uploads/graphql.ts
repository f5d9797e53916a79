import { builder, payloadOf, selectionOf } from '../../kit/builder.ts'
import { ById } from '../../kit/shapes.ts'
import { graphqlInput } from '../../kit/zod-input.ts'
import { ImageText } from './shapes.ts'
import { connectUploads, deleteUpload, uploadImage, urlOf } from './uploads.ts'

/** A stored picture, as GraphQL shows it. */
export const Upload = builder.prismaNode('Upload', {
  description: 'A picture for the bodies of emails and templates.',
  id: { resolve: ({ id }) => id, description: 'Opaque; starts with `upl_`.' },
  nullable: true,
  findUnique: (id, { projectId }) => ({ projectId_id: { projectId, id } }),
  select: { id: true, key: true, filename: true, contentType: true, size: true, width: true, height: true, createdAt: true },
  fields: (t) => ({
    url: t.string({
      description: 'Where anyone who has the address may load it. Caches may keep it for a year: a picture never changes.',
      resolve: (upload, _args, ctx) => urlOf(ctx, upload),
    }),
    key: t.exposeString('key', { description: 'Its name in the file store, made of project, id and type.' }),
    filename: t.exposeString('filename', {
      description: 'The name it was uploaded with, without folders and control characters; at most 255 characters.',
    }),
    contentType: t.exposeString('contentType', {
      description: 'The media type of its bytes: `image/png`, `image/jpeg`, `image/gif` or `image/webp`.',
    }),
    size: t.exposeInt('size', { description: 'Size of the stored file in bytes.' }),
    width: t.exposeInt('width', { description: 'Width in pixels.' }),
    height: t.exposeInt('height', { description: 'Height in pixels.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was uploaded.' }),
  }),
})

const UploadConnection = builder.connectionObject(
  { type: Upload, name: 'UploadConnection', description: 'Pictures, newest first.' },
  { name: 'UploadEdge' },
)

builder.queryFields((t) => ({
  uploads: t.connection(
    {
      type: Upload,
      description: 'The pictures of the project, newest first.',
      resolve: async (_parent, args, ctx, info) => connectUploads(ctx, args, await selectionOf(ctx, info, 'Upload')),
    },
    UploadConnection,
  ),
}))

const draft = graphqlInput('UploadImageInput', ImageText, { alsoNamed: { file: 'content' } })
const deletion = graphqlInput('DeleteUploadInput', ById)

const UploadImagePayload = payloadOf<{ upload: Awaited<ReturnType<typeof uploadImage>> }>('UploadImagePayload', (t) => ({
  upload: t.expose('upload', { type: Upload, description: 'The stored picture.' }),
}))
const DeleteUploadPayload = payloadOf<{ id: string }>('DeleteUploadPayload', (t) => ({
  deletedUploadId: t.exposeID('id', { description: 'Id of the picture that was deleted.' }),
}))

builder.mutationFields((t) => ({
  uploadImage: t.field({
    extensions: { cost: 100, waits: true },
    type: UploadImagePayload,
    description:
      'Stores a PNG, JPEG, GIF or WebP picture for the bodies of emails: at most 10 MB, 10,000 pixels per side, 1,000 frames and 50 megapixels in all of them. It is stored upright, in sRGB, without metadata such as positions and without anything after its end; of an animated PNG only the first frame. The type is read from the bytes; every other format, also SVG, is refused with VALIDATION_ERROR. Fails with PAYLOAD_TOO_LARGE, with LIMIT_REACHED when the pictures of the project would have more than `UPLOAD_QUOTA_MB` (1024) together, and with SERVICE_UNAVAILABLE while the file store is unavailable or too many pictures are being decoded.',
    args: draft.args(t),
    resolve: async (_parent, args, ctx) => {
      const { filename, content: bytes } = draft.read(args)
      return { upload: await uploadImage(ctx, { file: { filename, bytes } }) }
    },
  }),
  deleteUpload: t.field({
    type: DeleteUploadPayload,
    extensions: { waits: true },
    description:
      'Deletes a picture and its file, and gives its bytes back to the project. Emails that show it no longer do, once caches have dropped it. Fails with RESOURCE_NOT_FOUND.',
    args: deletion.args(t),
    resolve: async (_parent, args, ctx) => {
      const { id } = deletion.read(args)
      await deleteUpload(ctx, { id })
      return { id }
    },
  }),
}))
