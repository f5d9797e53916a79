import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { insertUpload } from '../../../src/modules/uploads/sql.ts'
import { connectUploads, deleteUpload, uploadImage } from '../../../src/modules/uploads/uploads.ts'
import { freshFolder } from '../../help/folder.ts'
import { gif, jpeg, noise, png, webp, webpPixels } from '../../help/pictures.ts'
import { objectStore } from '../../help/s3.ts'
import { until } from '../../help/until.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const folder = await freshFolder()
const world = await testWorld({ env: { DATA_DIR: folder } })

const file = (bytes: Buffer, filename = 'logo.png', contentType?: string) => ({ file: { filename, bytes, contentType } })
const filesOf = (projectId: string) =>
  readdir(join(folder, 'uploads', projectId)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })

test('a process that ends waits for a picture that is being decoded, which is stored', async () => {
  const ending = await testWorld({ env: { DATA_DIR: folder }, databaseUrl: world.databaseUrl })
  const { ctx, projectId } = await freshProject(ending)
  const order: string[] = []
  const uploading = uploadImage(ctx, file(await (await noise(1_500, 1_500)).png().toBuffer())).then(() => order.push('stored'))
  await ending.close()
  order.push('closed')
  await uploading
  expect([order, await filesOf(projectId)]).toEqual([['stored', 'closed'], [expect.stringMatching(/\.png$/)]])
})

describe('uploadImage', () => {
  test.each([
    ['png', png(), 'image/png'],
    ['jpg', jpeg, 'image/jpeg'],
    ['gif', gif(), 'image/gif'],
    ['webp', webp(['VP8 ', webpPixels.lossy]), 'image/webp'],
  ])('stores a %s under a key of its own, with the size of the stored file', async (ending, bytes, contentType) => {
    const { ctx, projectId } = await freshProject(world)
    const upload = await uploadImage(ctx, file(bytes, 'My logo.png'))
    expect(upload).toMatchObject({ filename: 'My logo.png', contentType, width: 3, height: 2 })
    expect(upload.key).toMatch(new RegExp(`^${projectId}/upl_[0-9a-z]{26}\\.${ending}$`))
    expect(upload.url).toBe(`${world.publicUrl}/uploads/${upload.key}`)
    const stored = await readFile(join(folder, 'uploads', upload.key))
    expect(stored.length).toBe(upload.size)
    expect(await sharp(stored).metadata()).toMatchObject({ mediaType: contentType, width: 3, height: 2 })
    expect(await filesOf(projectId)).toHaveLength(1)
  })

  test.each([
    ['../../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['/', 'image.png'],
    ['', 'image.png'],
    ['a\r\nSet-Cookie: x.png', 'aSet-Cookie: x.png'],
    ['a\u202Egnp.exe\0.png', 'agnp.exe.png'],
    [`${'ä'.repeat(300)}.png`, 'ä'.repeat(255)],
    ['half \uD83D.png', 'half \uFFFD.png'],
  ])('stores the name %j for display only, as %j', async (filename, kept) => {
    const { ctx, projectId } = await freshProject(world)
    const upload = await uploadImage(ctx, file(png(), filename))
    expect(upload.filename).toBe(kept)
    expect(upload.key).toBe(`${projectId}/${upload.id}.png`)
  })

  test.each([
    ['an SVG called a PNG', file(Buffer.from('<svg onload="alert(1)"/>'), 'a.png', 'image/png'), 'not_an_image'],
    ['a PNG called a JPEG', file(png(), 'a.jpg', 'image/jpeg'), 'type_mismatch'],
    ['a PNG called HTML', file(png(), 'a.html', 'text/html'), 'type_mismatch'],
    ['a PNG that is incomplete', file(png().subarray(0, -20)), 'broken_image'],
    ['a picture of 400 megapixels', file(png(20_000, 20_000)), 'too_many_pixels'],
    ['an empty file', file(Buffer.alloc(0)), 'empty'],
  ])('refuses %s and stores nothing', async (_what, draft, code) => {
    const { ctx, projectId } = await freshProject(world)
    await expect(uploadImage(ctx, draft)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: 'file', code }] })
    expect(await filesOf(projectId)).toEqual([])
    expect(await world.db.prisma.upload.count({ where: { projectId } })).toBe(0)
  })

  test('accepts a PNG followed by HTML, and does not store the HTML', async () => {
    const { ctx } = await freshProject(world)
    const { key } = await uploadImage(ctx, file(Buffer.concat([png(), Buffer.from('<script>')])))
    const stored = await readFile(join(folder, 'uploads', key))
    expect(stored.includes('script')).toBe(false)
    expect(await sharp(stored).raw().toBuffer()).toEqual(await sharp(png()).raw().toBuffer())
  })

  test('recognises the type by the bytes where the caller only gives application/octet-stream', async () => {
    const { ctx } = await freshProject(world)
    expect(await uploadImage(ctx, file(jpeg, 'a.bin', 'application/octet-stream'))).toMatchObject({ contentType: 'image/jpeg' })
    expect(await uploadImage(ctx, file(jpeg, 'a.jpg', 'image/jpg; q=1'))).toMatchObject({ contentType: 'image/jpeg' })
  })

  test('refuses more than 10 MB before decoding', async () => {
    const { ctx } = await freshProject(world)
    await expect(uploadImage(ctx, file(Buffer.alloc(10 * 1024 * 1024 + 1)))).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  })

  test('fails with SERVICE_UNAVAILABLE when the folder cannot be written, and creates no row', async () => {
    const full = await freshFolder()
    await writeFile(join(full, 'uploads'), 'no folder')
    const broken = await testWorld({ env: { DATA_DIR: full } })
    const { ctx, projectId } = await freshProject(broken)
    await expect(uploadImage(ctx, file(png()))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '10' } })
    expect(await broken.db.prisma.upload.count({ where: { projectId } })).toBe(0)
  })

  test('leaves no file behind when its row cannot be created', async () => {
    const { ctx } = await freshProject(world)
    await expect(uploadImage({ ...ctx, projectId: 'prj_gone' }, file(png()))).rejects.toThrow()
    expect(await filesOf('prj_gone')).toEqual([])
  })
})

describe('connectUploads and deleteUpload', () => {
  test('list the pictures of the project, newest first, and delete one with its file', async () => {
    const { ctx, projectId } = await freshProject(world)
    const other = await freshProject(world)
    const foreign = await uploadImage(other.ctx, file(png()))
    const [first, second] = [await uploadImage(ctx, file(png())), await uploadImage(ctx, file(jpeg, 'b.jpg'))]
    const ids = async () => (await connectUploads(ctx, {}, {})).edges.map(({ node }) => node.id)
    expect(await ids()).toEqual([second.id, first.id])
    await expect(deleteUpload(ctx, { id: foreign.id })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
    await deleteUpload(ctx, { id: first.id })
    await expect(deleteUpload(ctx, { id: first.id })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
    expect(await ids()).toEqual([second.id])
    expect(await filesOf(projectId)).toEqual([`${second.id}.jpg`])
    expect(await filesOf(other.projectId)).toEqual([`${foreign.id}.png`])
  })
})

describe('with a bucket', async () => {
  const store = await objectStore()
  const bucketWorld = await testWorld({ env: { ...store.env, DATA_DIR: folder } })
  const publicWorld = await testWorld({ env: { ...store.env, S3_PUBLIC_URL: 'https://cdn.example.com/pictures/' } })
  const wrongKeys = await testWorld({ env: { ...store.env, S3_SECRET_ACCESS_KEY: 'another' } })

  test('files are stored there, signed and with their type, and read back', async () => {
    const { ctx, projectId } = await freshProject(bucketWorld)
    const upload = await uploadImage(ctx, file(png()))
    expect(upload.url).toBe(`${bucketWorld.publicUrl}/uploads/${upload.key}`)
    const { bytes, headers } = store.objects.get(upload.key) ?? {}
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 3, height: 2 })
    expect(headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' })
    expect(Buffer.concat((await (await bucketWorld.storage.open(upload.key))?.toArray()) ?? [])).toEqual(bytes)
    expect(await filesOf(projectId)).toEqual([])
    await deleteUpload(ctx, { id: upload.id })
    expect(store.objects.has(upload.key)).toBe(false)
    expect(await bucketWorld.storage.open(upload.key)).toBeNull()
  })

  test('that is public, addresses are those of the bucket', async () => {
    const { ctx } = await freshProject(publicWorld)
    const { url, key } = await uploadImage(ctx, file(png()))
    expect(url).toBe(`https://cdn.example.com/pictures/${key}`)
  })

  test.each([
    ['fails', () => bucketWorld, 500],
    ['refuses our keys', () => wrongKeys, 0],
  ])('that %s: SERVICE_UNAVAILABLE with Retry-After, and no row', async (_what, worldOf, status) => {
    const { ctx, projectId } = await freshProject(worldOf())
    store.fail(status)
    await expect(uploadImage(ctx, file(png()))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'Files cannot be stored or read at the moment.',
      headers: { 'Retry-After': '10' },
    })
    store.fail(0)
    expect(await worldOf().db.prisma.upload.count({ where: { projectId } })).toBe(0)
  })

  const losing = async (work: () => Promise<unknown>) => {
    store.behave('losing')
    await work().finally(() => store.behave('well'))
  }
  const objectsOf = (projectId: string) => [...store.objects.keys()].filter((key) => key.startsWith(projectId))

  test('that stores a file, and whose answer is lost: SERVICE_UNAVAILABLE, and neither a row nor the file stays', async () => {
    const { ctx, projectId } = await freshProject(bucketWorld)
    const other = await uploadImage(ctx, file(png()))
    await losing(() => expect(uploadImage(ctx, file(png()))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' }))
    await until(async () => objectsOf(projectId).length === 1)
    expect(objectsOf(projectId)).toEqual([other.key])
    expect(await bucketWorld.db.prisma.upload.findMany({ where: { projectId }, select: { key: true } })).toEqual([{ key: other.key }])
  })

  test('from which such a file cannot be removed either: a warning names it', async () => {
    const { ctx, projectId } = await freshProject(bucketWorld)
    const warn = vi.spyOn(ctx.log, 'warn')
    store.fail(500)
    onTestFinished(() => store.fail(0))
    await losing(() => expect(uploadImage(ctx, file(png()))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' }))
    await until(async () => warn.mock.calls.length > 0)
    expect(warn.mock.calls).toEqual([
      [expect.objectContaining({ key: objectsOf(projectId)[0] }), 'uploads: a file without a row could not be removed'],
    ])
  })

  test('keeps the file when nobody knows whether its row was stored, and a warning names it', async () => {
    const { ctx, projectId } = await freshProject(bucketWorld)
    const warn = vi.spyOn(ctx.log, 'warn')
    const db = {
      ...ctx.db,
      run: (async (asked, values) => {
        const rows = await ctx.db.run(asked, values)
        if (asked.name === insertUpload.name) throw new Error('Connection terminated unexpectedly')
        return rows
      }) as typeof ctx.db.run,
    }
    await expect(uploadImage({ ...ctx, db }, file(png()))).rejects.toThrow('Connection terminated')
    const [row] = await bucketWorld.db.prisma.upload.findMany({ where: { projectId } })
    expect(objectsOf(projectId)).toEqual([row?.key])
    expect(warn.mock.calls).toEqual([[expect.objectContaining({ key: row?.key }), 'uploads: a file may have no row']])
  })
})
