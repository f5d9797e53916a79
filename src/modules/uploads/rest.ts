import { route } from '../../kit/route.ts'
import { ImageForm, maxFileBytes, Uploaded } from './shapes.ts'
import { uploadImage } from './uploads.ts'

/** The endpoint that stores pictures for emails. */
export const routes = [
  route('POST', '/uploads/image', 'secret', ImageForm, Uploaded, uploadImage, {
    summary: 'Upload a picture for use in emails',
    description:
      'Stores the first file of a multipart form: a PNG, JPEG, GIF or WebP, recognised by its bytes, of at most 10 MB, 10,000 pixels per side, 1,000 frames and 50 megapixels in all of them. It is encoded again: turned upright, in sRGB, without metadata such as locations, and without anything after its end. Of an animated PNG only the first frame is kept. Every other file is refused, SVG too. All pictures of a project have at most `UPLOAD_QUOTA_MB` (1024) together, as they are stored.',
    status: 201,
    maxFileBytes,
    errors: ['LIMIT_REACHED', 'SERVICE_UNAVAILABLE'],
  }),
]
