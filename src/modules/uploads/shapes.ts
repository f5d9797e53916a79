import { z } from 'zod'

/** Bytes of a file at most. */
export const mostFileBytes = 10 * 1024 * 1024

/** A picture that was stored. */
export const Uploaded = z
  .object({
    url: z
      .string()
      .describe('Where everybody may load it: an address that nobody guesses, for the body of a mail or template.')
      .meta({ examples: ['http://localhost:8080/uploads/prj_01m7y3mwcpfqhrhzca2e1aqg79/upl_01m7y3mwcpfqhrhzca2e1aqg79.png'] }),
    key: z.string().describe('Its name in the store: project, id and type; never the name it was sent with.'),
    filename: z.string().describe('The name it was sent with, without folders and control characters, at most 255 characters.'),
    contentType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']).describe('What its bytes are.'),
    size: z.number().int().describe('Bytes of what is stored.'),
  })
  .meta({ id: 'Uploaded', description: 'A picture that was stored.' })

/** A file as an entrance hands it on; `contentType` is what the caller calls it, if it says anything. */
interface FileDraft {
  filename: string
  contentType?: string | undefined
  bytes: Buffer
}

/** A picture to store. The entrance has read the form and made sure of its file. */
export const ImageForm = z.object({ file: z.custom<FileDraft>() })
/** A picture to store. */
export type ImageForm = z.output<typeof ImageForm>

// By encoding again: a pattern over megabytes would exhaust the stack, and Node skips what is not base64.
const Base64 = z.string().transform((text, ctx) => {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') === text) return bytes
  ctx.issues.push({ code: 'custom', input: undefined, message: 'must be base64 (RFC 4648, 4) with padding and without line breaks' })
  return z.NEVER
})

/** A picture to store, where there are no forms. */
export const ImageText = z.object({
  filename: z.string().max(1_000).describe('Its name, for people; at most 1,000 characters, of which the first 255 are stored.'),
  content: Base64.describe('The file in base64 (RFC 4648, 4), at most 10 MB decoded.'),
})
