import { route } from '../../kit/route.ts'
import { ImageForm, mostFileBytes, Uploaded } from './shapes.ts'
import { uploadImage } from './uploads.ts'

// What a form adds around its file.
const formBytes = 64 * 1024

/** Pictures for mails (interface.md, Activity, analytics, uploads, configuration). */
export const routes = [
  route('POST', '/uploads/image', 'secret', ImageForm, Uploaded, uploadImage, {
    summary: 'Store a picture for the bodies of mails',
    description:
      'The first file of a multipart form: PNG, JPEG, GIF or WebP by its bytes, at most 10 MB, 10,000 pixels a side and 50 megapixels. SVG and everything else is refused, and so is a picture with bytes after its end.',
    status: 201,
    file: true,
    bodyLimit: mostFileBytes + formBytes,
    errors: ['SERVICE_UNAVAILABLE'],
  }),
]
