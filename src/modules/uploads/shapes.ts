import { z } from 'zod'
import { Base64 } from '../../kit/shapes.ts'

/** Maximum number of bytes of a file. */
export const maxFileBytes = 10 * 1024 * 1024

/** A stored picture. */
export const Uploaded = z
  .object({
    url: z
      .string()
      .describe('The public address of the picture, for the body of an email or template. It cannot be guessed.')
      .meta({ examples: ['http://localhost:8080/uploads/prj_01m7y3mwcpfqhrhzca2e1aqg79/upl_01m7y3mwcpfqhrhzca2e1aqg79.png'] }),
    key: z.string().describe('Its key in storage: project id, picture id and file extension.'),
    filename: z.string().describe('The original file name without folders and control characters, at most 255 characters.'),
    contentType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']).describe('Its media type, recognised by its bytes.'),
    size: z.number().int().describe('The size of the stored file in bytes.'),
  })
  .meta({ id: 'Uploaded', description: 'A stored picture.' })

/** A file as an entry point passes it on; `contentType` is the type the caller gave, if any. */
interface FileDraft {
  filename: string
  contentType?: string | undefined
  bytes: Buffer
}

/** A picture to store. The entry point has read the form and ensured that it has a file. */
export const ImageForm = z.object({ file: z.custom<FileDraft>() })
/** A picture to store. */
export type ImageForm = z.output<typeof ImageForm>

/** A picture to store, in base64, for entry points without forms. */
export const ImageText = z.object({
  filename: z.string().max(1_000).describe('Its name, for people; at most 1,000 characters, of which the first 255 are stored.'),
  content: Base64.transform((text) => Buffer.from(text, 'base64')).describe('The file in base64 (RFC 4648, 4), at most 10 MB decoded.'),
})
