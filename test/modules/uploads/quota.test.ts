import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { eraseSomeUploads } from '../../../src/modules/uploads/erase.ts'
import { deleteUpload, uploadImage } from '../../../src/modules/uploads/uploads.ts'
import { asker } from '../../help/ask.ts'
import { freshFolder } from '../../help/folder.ts'
import { jpeg, png } from '../../help/pictures.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const megabyte = 1024 * 1024
const folder = await freshFolder()
const { url, world } = await testServer({ env: { DATA_DIR: folder, UPLOAD_QUOTA_MB: '1' } })

const noise = (side: number) =>
  sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer()
// Nearly 300 KB: three have room together, a fourth has not.
const large = await noise(310)
const file = (bytes: Buffer) => ({ file: { filename: 'a.png', bytes } })

const totalOf = async (projectId: string) => Number((await world.db.prisma.uploadTotal.findUnique({ where: { projectId } }))?.bytes ?? 0)
const storedOf = async (projectId: string) => {
  const rows = await world.db.prisma.upload.findMany({ where: { projectId } })
  const files = await readdir(join(folder, 'uploads', projectId))
  return { rows: rows.length, files: files.length, bytes: rows.reduce((sum, { size }) => sum + size, 0) }
}
const refused = { code: 'LIMIT_REACHED', status: 409 }

async function setTotal(projectId: string, bytes: number): Promise<void> {
  await world.db.prisma.uploadTotal.update({ where: { projectId }, data: { bytes } })
}

test('pictures of a project have up to the quota together, to the byte; another project has its own', async () => {
  const { ctx, projectId } = await freshProject(world)
  const { size } = await uploadImage(ctx, file(jpeg))
  await setTotal(projectId, megabyte - size)
  await uploadImage(ctx, file(jpeg))
  expect(await totalOf(projectId)).toBe(megabyte)
  await expect(uploadImage(ctx, file(jpeg))).rejects.toMatchObject({
    ...refused,
    message: 'The pictures of this project have 1 MB together, of at most 1 MB: there is no room for another one.',
  })
  await setTotal(projectId, megabyte - size + 1)
  await expect(uploadImage(ctx, file(jpeg))).rejects.toMatchObject(refused)
  expect(await storedOf(projectId)).toMatchObject({ rows: 2, files: 2 })
  await uploadImage((await freshProject(world)).ctx, file(jpeg))
})

test('of many that are uploaded at the same time, those that have room are stored, and nothing remains of the others', async () => {
  const { ctx, projectId } = await freshProject(world)
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => uploadImage(ctx, file(large))))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(refused)
  const stored = await storedOf(projectId)
  expect(stored).toMatchObject({ rows: 3, files: 3 })
  expect(await totalOf(projectId)).toBe(stored.bytes)
})

test('a picture larger than the whole quota is refused as the first one', async () => {
  const { ctx, projectId } = await freshProject(world)
  await expect(uploadImage(ctx, file(await noise(620)))).rejects.toMatchObject({
    ...refused,
    message: expect.stringMatching(/^The pictures of this project have 0 MB together, of at most 1 MB: .* this one, which has 1\.1\d? MB/),
  })
  expect(await storedOf(projectId)).toEqual({ rows: 0, files: 0, bytes: 0 })
  expect(await totalOf(projectId)).toBe(0)
})

test('what is deleted gives its bytes back once, also in batches', async () => {
  const { ctx, projectId } = await freshProject(world)
  const uploads = [await uploadImage(ctx, file(large)), await uploadImage(ctx, file(large)), await uploadImage(ctx, file(large))]
  const [first] = uploads
  await expect(uploadImage(ctx, file(large))).rejects.toMatchObject({ ...refused, suggestion: expect.stringContaining('deleteUpload') })
  await Promise.allSettled(Array.from({ length: 3 }, () => deleteUpload(ctx, { id: first?.id ?? '' })))
  expect(await totalOf(projectId)).toBe((await storedOf(projectId)).bytes)
  await uploadImage(ctx, file(large))
  expect(await eraseSomeUploads(world, projectId)).toBe(3)
  expect(await totalOf(projectId)).toBe(0)
})

test('a picture that cannot be stored takes no bytes', async () => {
  const { ctx, projectId } = await freshProject(world)
  await uploadImage(ctx, file(jpeg))
  const before = await totalOf(projectId)
  const storage = { ...world.storage, put: () => Promise.reject(new Error('disk full')) }
  await expect(uploadImage({ ...ctx, world: { ...world, storage } }, file(png()))).rejects.toThrow('disk full')
  expect(await totalOf(projectId)).toBe(before)
})

test('a project that has more than the quota keeps its pictures, and gets no more', async () => {
  const { ctx, projectId } = await freshProject(world)
  const { id } = await uploadImage(ctx, file(jpeg))
  await setTotal(projectId, 5 * megabyte)
  await expect(uploadImage(ctx, file(jpeg))).rejects.toMatchObject({ ...refused, message: expect.stringContaining('have 5 MB together') })
  expect(await world.db.prisma.upload.count({ where: { projectId, id } })).toBe(1)
})

test('REST and GraphQL refuse with 409 and LIMIT_REACHED', async () => {
  const { ctx, projectId, secret } = await freshProject(world)
  await uploadImage(ctx, file(jpeg))
  await setTotal(projectId, megabyte)
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' }), 'a.jpg')
  const answer = await fetch(`${url}/uploads/image`, { method: 'POST', headers: { authorization: `Bearer ${secret}` }, body: form })
  expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([409, 'LIMIT_REACHED'])
  const mutation = 'mutation($input: UploadImageInput!) { uploadImage(input: $input) { upload { id } } }'
  const { errors } = await asker(url, secret)(mutation, { input: { filename: 'a.jpg', content: jpeg.toString('base64') } })
  expect(errors[0]?.extensions).toMatchObject({ code: 'LIMIT_REACHED', statusCode: 409 })
})
