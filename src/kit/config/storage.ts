import { z } from 'zod'
import { flag } from './types.ts'

/** The settings of the store of uploads. */
export const storageSettings = {
  S3_BUCKET: z.string().min(1).optional().describe('Bucket of an S3-compatible store for uploads. Without it they are stored in DATA_DIR.'),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of the store, such as `https://minio.example.com`. Default: Amazon S3 in S3_REGION.'),
  S3_REGION: z.string().min(1).default('us-east-1').describe('Region of the bucket.'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional().describe('Access key for the bucket. Without it the role of the machine is used.'),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('The secret of S3_ACCESS_KEY_ID.'),
  S3_PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Public address of the bucket: uploads get URLs below it. Without it they are served at PUBLIC_URL/uploads.'),
  S3_FORCE_PATH_STYLE: flag
    .default(false)
    .describe('Puts the bucket name into the path instead of the host name, as MinIO and most other stores need it.'),
}
