import { describe, expect, test } from 'vitest'
import { bodyOfDocument } from '../../../../src/modules/templates/visual/document.ts'
import { sendingProject } from '../../../help/mails.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()
const { ctx } = await sendingProject(world)
const picture = (src: string) => ({ type: 'doc' as const, content: [{ type: 'image' as const, attrs: { src } }] })

describe('the pictures of a document', () => {
  const uploads = `${world.publicUrl}/uploads`

  test('are at https addresses, or uploaded to the project', () => {
    for (const src of ['https://example.com/a.png?x=1', `${uploads}/${ctx.projectId}/upl_1.png`])
      expect(bodyOfDocument(ctx, picture(src))).toContain(`src="${src}"`)
  })

  test.each([
    `${uploads}/${ctx.projectId}/../../../mailbox`,
    `${uploads}/${ctx.projectId}/%2e%2e/%2E%2e/healthz`,
    `${uploads}/${ctx.projectId}/..%2f..%2fmailbox`,
    `${uploads}/${ctx.projectId}/a/../../prj_other/upl_1.png`,
    `${uploads}/${ctx.projectId}/..\\..\\..\\mailbox`,
    `${uploads}/${ctx.projectId}/`,
    `${uploads}/prj_other/upl_1.png`,
    'http://example.com/a.png',
  ])('are refused anywhere else: %s', (src) => {
    expect(() => bodyOfDocument(ctx, picture(src))).toThrow('A picture must be at an https address, or uploaded to the project')
  })
})
