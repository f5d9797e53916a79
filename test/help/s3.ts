import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll } from 'vitest'

/** A file in the bucket. */
export interface StoredObject {
  bytes: Buffer
  headers: Record<string, string | string[] | undefined>
}

/** A local server that stands in for S3: one bucket, path style, signatures checked (AWS Signature Version 4). */
export interface ObjectStore {
  /** The settings of an installation that uses it. */
  env: Record<string, string>
  /** Its objects by key. */
  objects: Map<string, StoredObject>
  /** Answers every call with this status from now on; 0 ends that. */
  fail(status: number): void
  /** From now on it stores without an answer (`losing`), also while it fails, or stops in the middle of what it sends (`stalling`). */
  behave(how: Behaviour): void
}

type Behaviour = 'well' | 'losing' | 'stalling'

const keyId = 'AKIATEST'
const secret = 'the secret of the bucket'
const name = 'pictures'

/** Starts an object store, closed after the file's tests. */
export async function objectStore(): Promise<ObjectStore> {
  const objects = new Map<string, StoredObject>()
  let failing = 0
  let behaviour: Behaviour = 'well'
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      if (behaviour === 'losing' && request.method === 'PUT') {
        objects.set(keyOf(request), { bytes: body, headers: request.headers })
        request.socket.destroy()
      } else if (behaviour === 'stalling' && request.method === 'GET') stall(response, objects.get(keyOf(request))?.bytes)
      else if (failing > 0) refuse(response, failing, 'InternalError')
      else if (isSigned(request, body)) answer(objects, request, response, body)
      else refuse(response, 403, 'SignatureDoesNotMatch')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => server.close())
  const { port } = server.address() as AddressInfo
  return {
    env: {
      S3_BUCKET: name,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: keyId,
      S3_SECRET_ACCESS_KEY: secret,
      S3_FORCE_PATH_STYLE: 'true',
    },
    objects,
    fail: (status) => {
      failing = status
    },
    behave: (how) => {
      behaviour = how
    },
  }
}

function answer(objects: Map<string, StoredObject>, request: IncomingMessage, response: ServerResponse, bytes: Buffer): void {
  const key = keyOf(request)
  const found = objects.get(key)
  if (request.method === 'PUT') objects.set(key, { bytes, headers: request.headers })
  if (request.method === 'DELETE') objects.delete(key)
  if (request.method !== 'GET') response.writeHead(request.method === 'DELETE' ? 204 : 200).end()
  else if (found) response.writeHead(200, { 'content-type': String(found.headers['content-type']) }).end(found.bytes)
  else refuse(response, 404, 'NoSuchKey')
}

function keyOf({ url = '' }: IncomingMessage): string {
  const [path = ''] = url.split('?')
  return decodeURIComponent(path.slice(`/${name}/`.length))
}

function stall(response: ServerResponse, bytes: Buffer = Buffer.alloc(0)): void {
  response.writeHead(200, { 'content-length': bytes.length }).write(bytes.subarray(0, bytes.length / 2))
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
}

const form = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/

function isSigned({ method, url = '', headers }: IncomingMessage, body: Buffer): boolean {
  const [, id, day = '', region = '', names = '', signature] = form.exec(headers.authorization ?? '') ?? []
  const digest = String(headers['x-amz-content-sha256'])
  if (id !== keyId || digest !== sha256(body)) return false
  const [path = '', query = ''] = url.split('?')
  const signed = names.split(';').map((header) => `${header}:${String(headers[header]).trim()}\n`)
  const sorted = query
    .split('&')
    .map((pair) => (pair.includes('=') || pair === '' ? pair : `${pair}=`))
    .sort()
  const canonical = [method, path, sorted.join('&'), signed.join(''), names, digest].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(Buffer.from(canonical))].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer>((step, part) => hmac(step, part), Buffer.from(`AWS4${secret}`))
  return hmac(key, text).toString('hex') === signature
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
