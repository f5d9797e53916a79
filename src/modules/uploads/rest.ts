import { route } from '../../kit/route.ts'
import { ImageForm, mostFileBytes, Uploaded } from './shapes.ts'
import { uploadImage } from './uploads.ts'

/** Pictures for mails. */
export const routes = [
  route('POST', '/uploads/image', 'secret', ImageForm, Uploaded, uploadImage, {
    summary: 'Store a picture for the bodies of mails',
    description:
      'The first file of a multipart form: PNG, JPEG, GIF or WebP by its bytes, at most 10 MB, 10,000 pixels a side and 50 megapixels in all frames. It is stored cleaned: upright, in sRGB, without metadata such as positions and without anything after its end; of an animated PNG the first frame. SVG and everything else is refused.',
    status: 201,
    maxFileBytes: mostFileBytes,
    errors: ['SERVICE_UNAVAILABLE'],
  }),
]
