import { builder, selectionOf } from '../../kit/builder.ts'
import { ById } from '../../kit/shapes.ts'
import { inputOf } from '../../kit/zod-input.ts'
import { ImageText } from './shapes.ts'
import { connectUploads, deleteUpload, uploadImage, urlOf } from './uploads.ts'

/** A stored picture, as GraphQL shows it. */
export const Upload = builder.prismaNode('Upload', {
  description: 'A picture for the bodies of mails and templates.',
  id: { resolve: ({ id }) => id, description: 'Opaque; starts with `upl_`.' },
  nullable: true,
  findUnique: (id, { projectId }) => ({ projectId_id: { projectId, id } }),
  select: { id: true, key: true, filename: true, contentType: true, size: true, width: true, height: true, createdAt: true },
  fields: (t) => ({
    url: t.string({
      description: 'Where everybody may load it. Answers may be cached for a year: a picture never changes.',
      resolve: (upload, _args, ctx) => urlOf(ctx, upload),
    }),
    key: t.exposeString('key', { description: 'Its name in the store: project, id and type.' }),
    filename: t.exposeString('filename', { description: 'The name it was sent with, cleaned, at most 255 characters.' }),
    contentType: t.exposeString('contentType', {
      description: '`image/png`, `image/jpeg`, `image/gif` or `image/webp`: what its bytes are.',
    }),
    size: t.exposeInt('size', { description: 'Bytes of what is stored.' }),
    width: t.exposeInt('width', { description: 'Pixels.' }),
    height: t.exposeInt('height', { description: 'Pixels.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
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

const draft = inputOf('UploadImageInput', ImageText)
const one = inputOf('UploadInput', ById)

builder.mutationFields((t) => ({
  uploadImage: t.field({
    type: Upload,
    description:
      'Stores a PNG, JPEG, GIF or WebP of at most 10 MB, 10,000 pixels a side and 50 megapixels in all frames, for the bodies of mails. It is stored cleaned: upright, in sRGB, without metadata such as positions and without anything after its end; of an animated PNG the first frame. The type is what the bytes are; everything else, SVG too, is refused with VALIDATION_ERROR. Fails with PAYLOAD_TOO_LARGE, and SERVICE_UNAVAILABLE when the store is away or too many pictures are being read.',
    args: draft.args(t),
    resolve: (_parent, args, ctx) => {
      const { filename, content: bytes } = draft.read(args)
      return uploadImage(ctx, { file: { filename, bytes } })
    },
  }),
  deleteUpload: t.field({
    type: 'ID',
    description:
      'Deletes a picture and its file. Mails that show it no longer do, once caches forget it. Answers its id; fails with RESOURCE_NOT_FOUND.',
    args: one.args(t),
    resolve: (_parent, args, ctx) => deleteUpload(ctx, one.read(args)).then(() => one.read(args).id),
  }),
}))
