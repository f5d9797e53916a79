import type { Readable } from 'node:stream'
import busboy, { type Busboy } from 'busboy'
import { Failure } from './errors.ts'

/** A submitted form: its text fields by name (the last of several with the same name) and its first file. */
export interface Form<Content = Buffer> {
  fields: Record<string, string>
  file?: FormFile<Content>
}

/** A file of a form: the name without folders, and the content type that the sender declared. */
export interface FormFile<Content> {
  filename: string
  contentType: string
  bytes: Content
}

const maxFields = 100
const maxFieldBytes = 64 * 1024

/** Whether a content type is multipart/form-data. */
export function isMultipart(contentType: string | undefined): contentType is string {
  return /^multipart\/form-data\s*;/i.test(contentType ?? '')
}

/** Reads a multipart form as readFormInto does, with its file in memory. */
export function readForm(source: Readable, contentType: string, maxFileBytes: number): Promise<Form> {
  return readFormInto(source, contentType, { maxFileBytes, store: buffer })
}

/**
 * Reads a multipart form (RFC 7578) as it arrives: up to 100 fields of 64 KB each, and the first file, of up to `maxFileBytes`, which
 * `store` receives as it arrives; other files are skipped. Fails as early as possible with PAYLOAD_TOO_LARGE, BAD_REQUEST, or as the
 * source or `store` fails; the rest of the source is then not read, and the file is destroyed.
 */
export function readFormInto<Content>(
  source: Readable,
  contentType: string,
  { maxFileBytes, store }: { maxFileBytes: number; store: (file: Readable) => Promise<Content> },
): Promise<Form<Content>> {
  return new Promise((resolve, reject) => {
    const parser = parserFor(contentType, maxFileBytes)
    let stored: Promise<FormFile<Content>> | undefined
    let arriving: Readable | undefined
    const fail = (error: unknown): void => {
      source.unpipe()
      // The parser goes through the rest of the piece that it has: a file in it would never end.
      parser.removeAllListeners('file')
      reject(error)
      arriving?.destroy()
    }
    const fields = collectFields(parser, fail)
    parser.on('partsLimit', () => fail(new Failure('BAD_REQUEST', 'The form has too many parts.')))
    parser.on('file', (_name, file, { filename, mimeType }) => {
      arriving = file
      file.on('limit', () => fail(fileTooLarge(maxFileBytes)))
      file.on('error', () => fail(unreadable()))
      stored = store(file).then((bytes) => ({ filename: filename ?? '', contentType: mimeType, bytes }))
      stored.catch(fail)
    })
    parser.on('error', () => fail(unreadable()))
    parser.on('close', () => {
      const form = { fields: Object.fromEntries(fields) }
      if (stored) stored.then((file) => resolve({ ...form, file }), fail)
      else resolve(form)
    })
    source.on('error', fail)
    source.pipe(parser)
  })
}

function collectFields(parser: Busboy, fail: (error: Failure) => void): Map<string, string> {
  const fields = new Map<string, string>()
  parser.on('field', (name, value, { valueTruncated }) => {
    if (valueTruncated) fail(new Failure('PAYLOAD_TOO_LARGE', `A field of the form is larger than ${maxFieldBytes / 1024} KB.`))
    fields.set(name, value)
  })
  parser.on('fieldsLimit', () => fail(new Failure('BAD_REQUEST', `The form has more than ${maxFields} fields.`)))
  return fields
}

async function buffer(file: Readable): Promise<Buffer> {
  return Buffer.concat(await file.toArray())
}

function parserFor(contentType: string, maxFileBytes: number): Busboy {
  // It cuts what has so many bytes, one more than is taken.
  const limits = {
    fields: maxFields,
    fieldSize: maxFieldBytes + 1,
    fileSize: maxFileBytes + 1,
    files: maxFileBytes > 0 ? 1 : 0,
    parts: 2 * maxFields,
    headerPairs: 20,
  }
  try {
    return busboy({
      headers: { 'content-type': contentType },
      limits,
      // What browsers send (RFC 7578, 5.1).
      defParamCharset: 'utf8',
    })
  } catch (error) {
    // The content type has no boundary.
    if (error instanceof Error) throw unreadable()
    throw error
  }
}

function fileTooLarge(limit: number): Failure {
  return new Failure('PAYLOAD_TOO_LARGE', `The file is larger than ${limit / 1024 / 1024} MB.`, { headers: { Connection: 'close' } })
}

function unreadable(): Failure {
  return new Failure('BAD_REQUEST', 'The multipart form could not be read.', {
    suggestion: 'Send it as multipart/form-data with its boundary in Content-Type; curl -F does both.',
  })
}
