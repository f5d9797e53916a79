import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Failure } from '../../../src/kit/errors.ts'
import { cleanPicture, identifyPicture, type Picture } from '../../../src/modules/uploads/picture.ts'
import { noise } from '../../help/pictures.ts'

describe('the turn of a picture', () => {
  const made = noise(400, 300).then((image) => image.png().toBuffer())
  const codeOf = (answer: PromiseSettledResult<Picture>) => (answer.status === 'fulfilled' ? 'done' : (answer.reason as Failure).code)

  test('of each owner ten wait and more are refused at once; that of others comes before those that wait', async () => {
    const header = await identifyPicture(await made, { owners: 'header' })
    const done: string[] = []
    const clean = async (...owners: [string, ...string[]]) => {
      const cleaned = await cleanPicture(await made, header, { owners })
      done.push(owners.join(' '))
      return cleaned
    }
    const many = Array.from({ length: 30 }, (_, at) => clean('ada', `project ${at}`))
    const other = clean('bob', 'project')
    const answers = await Promise.allSettled(many)
    expect(answers.filter((answer) => codeOf(answer) === 'done')).toHaveLength(10)
    const refused = answers.filter((answer) => codeOf(answer) !== 'done')
    for (const answer of refused)
      expect(answer).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '10' } } })
    expect(await other).toMatchObject({ width: 400, height: 300 })
    expect(done.indexOf('bob project')).toBeLessThanOrEqual(2)
    expect(await clean('ada', 'project 30')).toMatchObject({ width: 400, height: 300 })
  })

  test('of many accounts of one network is one beside that of another network', async () => {
    const header = await identifyPicture(await made, { owners: 'header' })
    const done: string[] = []
    const clean = async (owner: string, network: string) => {
      await cleanPicture(await made, header, { owners: [owner, `project of ${owner}`], network })
      done.push(owner)
    }
    const many = Array.from({ length: 14 }, (_, at) => clean(`ada ${at}`, 'network of ada'))
    await Promise.all([...many, clean('bob', 'network of bob')])
    expect(done.indexOf('bob')).toBeLessThanOrEqual(1)
    expect(done).toHaveLength(15)
  })

  test('is one for each account of a network, in turns, of which twenty pictures wait', async () => {
    const header = await identifyPicture(await made, { owners: 'header' })
    const done: string[] = []
    const clean = async (owner: string, network = 'network of ada') => {
      await cleanPicture(await made, header, { owners: [owner, `project of ${owner}`], network })
      done.push(owner)
    }
    const many = ['ada', 'eve', 'joe'].flatMap((owner) => Array.from({ length: 9 }, () => clean(owner)))
    const other = clean('bob', 'network of bob')
    const answers = await Promise.allSettled(many)
    await other
    expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(7)
    expect(done.slice(0, 8)).toEqual(['ada', 'bob', 'ada', 'eve', 'joe', 'ada', 'eve', 'joe'])
  })

  test('is taken for its header as well, and those that take long do not hold up quick ones', async () => {
    const frames = 80
    const animation = await (await noise(100, 100 * frames)).raw().toBuffer()
    const raw = { width: 100, height: 100 * frames, channels: 3 as const, pageHeight: 100 }
    // Fewer pixels than a photo of 1 megapixel, and a palette for each frame: that takes longer than one of 5.
    const slow = await sharp(animation, { raw }).gif().toBuffer()
    const done: string[] = []
    const clean = async (name: string, bytes: Buffer) => {
      await cleanPicture(bytes, await identifyPicture(bytes, { owners: name }), { owners: name })
      done.push(name)
    }
    await Promise.all([clean('slow', slow), clean('slow too', slow), clean('quick', await made)])
    expect(done).toHaveLength(3)
    expect(done.indexOf('quick')).toBeLessThanOrEqual(1)
    const many = await Promise.allSettled(Array.from({ length: 12 }, async () => identifyPicture(await made, { owners: 'ada' })))
    expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  })

  test('is given up when the caller has left', async () => {
    const header = await identifyPicture(await made, { owners: 'header' })
    const left = new AbortController()
    const first = cleanPicture(await made, header, { owners: 'ada' })
    const waiting = Promise.allSettled([cleanPicture(await made, header, { owners: 'ada', ended: left.signal })])
    left.abort()
    expect((await waiting).map(codeOf)).toEqual(['SERVICE_UNAVAILABLE'])
    expect(await first).toMatchObject({ width: 400 })
  })
})
