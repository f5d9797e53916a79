import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import type { Config } from './config.ts'
import { Failure } from './errors.ts'
import type { Log } from './log.ts'

/** Where uploaded files are stored: a folder of this machine, or a bucket. Keys are generated, such as `prj_…/upl_….png`. */
export interface Storage {
  /** Stores a file durably under a key. Fails with SERVICE_UNAVAILABLE. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** A file in pieces of about 64 KB, read as fast as they are taken, or null when there is none. Fails with SERVICE_UNAVAILABLE. */
  open(key: string): Promise<Readable | null>
  /** Removes a file; does nothing when it does not exist. Fails with SERVICE_UNAVAILABLE. */
  remove(key: string): Promise<void>
}

type StorageConfig = Pick<
  Config,
  'DATA_DIR' | 'S3_BUCKET' | 'S3_ENDPOINT' | 'S3_REGION' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY' | 'S3_FORCE_PATH_STYLE'
>

/** The storage of an installation: the bucket S3_BUCKET if it is set, otherwise the folder DATA_DIR/uploads. */
export function createStorage(config: StorageConfig, log: Log): Storage {
  const storage = config.S3_BUCKET ? bucket(config, config.S3_BUCKET) : folder(join(config.DATA_DIR, 'uploads'))
  const guarded = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      log.error({ err: error }, 'storage: a file could not be stored, read or removed')
      throw new Failure('SERVICE_UNAVAILABLE', 'Files cannot be stored or read at the moment.', {
        suggestion: 'Nothing was stored; try again in 10 seconds. The operator finds the cause in the log.',
        headers: { 'Retry-After': '10' },
      })
    })
  return {
    put: (key, bytes, contentType) => guarded(storage.put(key, bytes, contentType)),
    open: (key) => guarded(storage.open(key)),
    remove: (key) => guarded(storage.remove(key)),
  }
}

function folder(root: string): Storage {
  return {
    async put(key, bytes) {
      const path = join(root, key)
      const part = `${path}.${randomBytes(6).toString('hex')}.part`
      await mkdir(dirname(path), { recursive: true })
      // Completely or not at all: a full disk must not leave half a picture under its final name.
      try {
        await writeFile(part, bytes, { flush: true })
        await rename(part, path)
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    open: async (key) => {
      const file = await open(join(root, key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      })
      return file?.createReadStream() ?? null
    },
    remove: (key) => rm(join(root, key), { force: true }),
  }
}

/** How many files are read at a time: as many connections to a bucket may be taken by readers, and some are left to store files. */
export const maxOpen = 200
const agent = { maxSockets: maxOpen + 50 }
const connectMs = 3_000
const answerMs = 20_000
const attempts = 3
// In all: a caller waits for it, whose other large calls wait meanwhile.
const writtenWithinMs = 25_000
const inTime = () => ({ abortSignal: AbortSignal.timeout(writtenWithinMs) })

function bucket(config: StorageConfig, Bucket: string): Storage {
  let opening: Promise<S3Client> | undefined
  const client = (): Promise<S3Client> => {
    opening ??= openClient(config)
    return opening
  }
  return {
    async put(Key, Body, ContentType) {
      const [s3, { PutObjectCommand }] = await Promise.all([client(), sdk()])
      await s3.send(new PutObjectCommand({ Bucket, Key, Body, ContentType, CacheControl: 'public, max-age=31536000, immutable' }), inTime())
    },
    async open(Key) {
      const [s3, { GetObjectCommand, NoSuchKey, NotFound }] = await Promise.all([client(), sdk()])
      const found = await s3.send(new GetObjectCommand({ Bucket, Key })).catch((error: unknown) => {
        if (error instanceof NoSuchKey || error instanceof NotFound) return null
        throw error
      })
      // In Node.js the body is the answer to the request.
      return (found?.Body as Readable | undefined) ?? null
    },
    async remove(Key) {
      const [s3, { DeleteObjectCommand }] = await Promise.all([client(), sdk()])
      await s3.send(new DeleteObjectCommand({ Bucket, Key }), inTime())
    },
  }
}

// Loaded on first use: the client is large, and most installations do not need it.
const sdk = (): Promise<typeof import('@aws-sdk/client-s3')> => import('@aws-sdk/client-s3')

async function openClient(config: StorageConfig): Promise<S3Client> {
  const { S3Client } = await sdk()
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config
  return new S3Client({
    region: config.S3_REGION,
    forcePathStyle: config.S3_FORCE_PATH_STYLE,
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
    // Many stores other than Amazon S3 refuse the checksums that the SDK sends by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(config.S3_ENDPOINT && { endpoint: config.S3_ENDPOINT }),
    // Without keys the SDK uses those of the machine's role.
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
  })
}
