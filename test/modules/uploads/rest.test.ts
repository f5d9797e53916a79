import { request as httpRequest } from 'node:http'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { asker } from '../../help/ask.ts'
import { freshFolder } from '../../help/folder.ts'
import { gif, jpeg, png, pngChunk } from '../../help/pictures.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { url, world, call } = await testServer({ env: { DATA_DIR: await freshFolder() } })

async function send(key: string, bytes: Buffer | null, { name = 'logo.png', type = 'image/png', field = 'image' } = {}) {
  const form = new FormData()
  form.append('note', 'a field that is no file')
  if (bytes) form.append(field, new Blob([new Uint8Array(bytes)], { type }), name)
  const response = await fetch(`${url}/uploads/image`, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: form })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

const load = (path: string, headers: Record<string, string> = {}, method = 'GET') => fetch(url + path, { method, headers })

describe('POST /uploads/image', () => {
  test.each([
    ['image', png(), 'logo.png', 'image/png'],
    ['file', jpeg, 'photo.jpg', 'image/jpeg'],
  ])('201 returns the address of the picture in the field "%s"; anyone may load it', async (field, bytes, name, type) => {
    const { secret, projectId } = await freshProject(world)
    const { status, body } = await send(secret, bytes, { field, name, type })
    expect(status).toBe(201)
    const answer = await load(new URL(body.url).pathname)
    expect(answer.status).toBe(200)
    const stored = Buffer.from(await answer.arrayBuffer())
    expect(await sharp(stored).metadata()).toMatchObject({ mediaType: type, width: 3, height: 2 })
    const key = expect.stringMatching(new RegExp(`^${projectId}/upl_`))
    expect(body).toEqual({ url: `${world.publicUrl}/uploads/${body.key}`, key, filename: name, contentType: type, size: stored.length })
    expect(answer.headers.get('content-type')).toBe(type)
  })

  test('401 without a key and for the public key', async () => {
    const project = await freshProject(world)
    expect((await send(project.public, png())).status).toBe(401)
    expect((await send('', png())).status).toBe(401)
  })

  test('422 without a file, for an SVG and for a picture of another type than declared', async () => {
    const { secret, projectId } = await freshProject(world)
    expect(await send(secret, null)).toMatchObject({ status: 422, body: { error: { errors: [{ field: 'file', code: 'required' }] } } })
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
    expect(await send(secret, svg, { name: 'a.svg', type: 'image/svg+xml' })).toMatchObject({
      status: 422,
      body: { error: { message: expect.stringContaining('SVG'), errors: [{ field: 'file', code: 'not_an_image' }] } },
    })
    expect(await send(secret, gif())).toMatchObject({ status: 422, body: { error: { errors: [{ code: 'type_mismatch' }] } } })
    expect(await world.db.prisma.upload.count({ where: { projectId } })).toBe(0)
  })

  test('415 for JSON, 400 for a malformed form, 413 for 11 MB', async () => {
    const { secret: key } = await freshProject(world)
    expect((await call('POST /uploads/image', { file: 'x' }, { key })).status).toBe(415)
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    expect((await call('POST /uploads/image', 'no form at all', { key, headers })).status).toBe(400)
    expect(await send(key, Buffer.alloc(11 * 1024 * 1024))).toMatchObject({ status: 413, body: { error: { code: 'PAYLOAD_TOO_LARGE' } } })
  })
})

describe('the largest allowed picture', () => {
  const tenMegabytes = 10 * 1024 * 1024
  const padded = (size: number) => {
    const [head, tail] = [png().subarray(0, 33), png().subarray(33)]
    return Buffer.concat([head, pngChunk('tEXt', Buffer.alloc(size - png().length - 12, 'a')), tail])
  }
  const mutation = 'mutation($input: UploadImageInput!) { uploadImage(input: $input) { upload { size } } }'

  test('has 10 MB, at both entry points', async () => {
    const { secret } = await freshProject(world)
    const bytes = padded(tenMegabytes)
    const { status, body } = await send(secret, bytes)
    expect([status, body.size]).toEqual([201, expect.any(Number)])
    // The padding is a comment, which is not stored.
    expect(body.size).toBeLessThan(1_000)
    const input = { filename: 'a.png', content: bytes.toString('base64') }
    expect((await asker(url, secret)(mutation, { input })).data).toEqual({ uploadImage: { upload: { size: body.size } } })
  })

  test('with one byte more is 413, at both entry points', async () => {
    const { secret } = await freshProject(world)
    const bytes = padded(tenMegabytes + 1)
    expect((await send(secret, bytes)).status).toBe(413)
    const input = { filename: 'a.png', content: bytes.toString('base64') }
    expect((await asker(url, secret)(mutation, { input })).errors[0]?.extensions.code).toBe('PAYLOAD_TOO_LARGE')
  })
})

test('a file of unknown length is refused after 10 MB and one byte, before the form has ended', async () => {
  const { secret } = await freshProject(world)
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'multipart/form-data; boundary=x' }
  const request = httpRequest(`${url}/uploads/image`, { method: 'POST', headers })
  const status = new Promise((resolve, reject) => {
    request.on('response', (response) => resolve(response.statusCode))
    request.on('error', reject)
  })
  request.write('--x\r\nContent-Disposition: form-data; name="f"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n')
  request.write(Buffer.alloc(10 * 1024 * 1024 + 1, 'x'))
  // The last bytes could be the start of a boundary.
  request.write('y'.repeat(100))
  expect(await status).toBe(413)
  request.destroy()
})

describe('GET /uploads/:project/:name', () => {
  test('may be cached forever, has an ETag, and is harmless in any browser', async () => {
    const { secret } = await freshProject(world)
    const { body } = await send(secret, png())
    const path = `/uploads/${body.key}`
    const { headers } = await load(path)
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(body.size),
      'content-disposition': 'inline',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    })
    const etag = headers.get('etag') ?? ''
    for (const known of [etag, `"other", W/${etag}`, '*']) {
      const again = await load(path, { 'if-none-match': known })
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    }
    expect((await load(path, { 'if-none-match': '"other"' })).status).toBe(200)
    const head = await load(path, {}, 'HEAD')
    expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([200, '', String(body.size)])
  })

  test('404 for a file that does not exist, is of another project, or lies outside', async () => {
    const { secret, projectId } = await freshProject(world)
    const other = await freshProject(world)
    const { body } = await send(secret, png())
    const name = body.key.split('/')[1]
    const paths = [
      `${other.projectId}/${name}`,
      `${projectId}/${name}x`,
      `${projectId}/${name.replace('.png', '.jpg')}`,
      `${projectId}/..%2f..%2fsecret`,
      `..%2f..%2f${projectId}/${name}`,
      `${projectId}/%2e%2e`,
      'x/y',
    ]
    for (const path of paths) expect((await load(`/uploads/${path}`)).status, path).toBe(404)
    expect((await load(`/uploads/${body.key}`, {}, 'DELETE')).status).toBe(404)
  })

  test('404 when the file was deleted', async () => {
    const { secret } = await freshProject(world)
    const { body } = await send(secret, png())
    await world.storage.remove(body.key)
    expect((await load(`/uploads/${body.key}`)).status).toBe(404)
  })
})

describe('GraphQL', () => {
  const upload = `mutation($input: UploadImageInput!) { uploadImage(input: $input) { upload { id url key filename contentType size width height } } }`

  test('stores base64, lists, finds by id and deletes', async () => {
    const { secret } = await freshProject(world)
    const other = await freshProject(world)
    const ask = asker(url, secret)
    const { data } = await ask<Record<'uploadImage', { upload: Record<string, string> }>>(upload, {
      input: { filename: 'a/b.gif', content: gif().toString('base64') },
    })
    const made = data?.uploadImage.upload ?? {}
    expect(made).toMatchObject({ filename: 'b.gif', contentType: 'image/gif', width: 3, height: 2 })
    const loaded = await load(new URL(String(made.url)).pathname)
    expect([loaded.status, (await loaded.arrayBuffer()).byteLength]).toEqual([200, made.size])
    const query = `query($id: ID!) { uploads { totalCount nodes { id } } node(id: $id) { ... on Upload { url } } }`
    expect((await ask(query, { id: made.id })).data).toEqual({
      uploads: { totalCount: 1, nodes: [{ id: made.id }] },
      node: { url: made.url },
    })
    expect((await asker(url, other.secret)(query, { id: made.id })).data).toEqual({ uploads: { totalCount: 0, nodes: [] }, node: null })
    const remove = 'mutation($id: ID!) { deleteUpload(input: { id: $id }) { deletedUploadId } }'
    expect((await asker(url, other.secret)(remove, { id: made.id })).errors[0]?.extensions.code).toBe('RESOURCE_NOT_FOUND')
    expect((await ask(remove, { id: made.id })).data).toEqual({ deleteUpload: { deletedUploadId: made.id } })
    expect((await load(new URL(String(made.url)).pathname)).status).toBe(404)
  })

  test.each([
    ['not base64', 'no base64!', 'content'],
    ['base64 of an SVG', Buffer.from('<svg/>').toString('base64'), 'content'],
  ])('refuses %s', async (_what, content, field) => {
    const { secret } = await freshProject(world)
    const { errors } = await asker(url, secret)(upload, { input: { filename: 'a.png', content } })
    expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field }] })
  })
})
