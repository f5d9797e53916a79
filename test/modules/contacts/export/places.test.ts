import { expect, test } from 'vitest'
import { type Ctx, callIn } from '../../../../src/kit/context.ts'
import type { Download } from '../../../../src/kit/download.ts'
import { exportRecipients } from '../../../../src/modules/campaigns/recipients/recipients.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { exportContacts } from '../../../../src/modules/contacts/export/export.ts'
import { exportContact } from '../../../../src/modules/contacts/export/person.ts'
import { exportSuppressions } from '../../../../src/modules/suppressions/export.ts'
import { drafted } from '../../../help/campaigns.ts'
import { sendingProject } from '../../../help/mails.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()

async function projectOf(account: string): Promise<Ctx> {
  const { ctx } = await sendingProject(world)
  return callIn(world, { ...ctx, account })
}

// Reads the first piece of an export, which goes on.
async function begun({ pieces }: Download): Promise<AsyncIterator<string>> {
  const reading = pieces[Symbol.asyncIterator]()
  await reading.next()
  return reading
}

test('exports of every kind share the places of an account, in whichever of its projects', async () => {
  const [one, two] = [await projectOf('usr_a'), await projectOf('usr_a')]
  const { id } = await upsertContact(one, { email: 'ada@example.com' })
  const campaign = await drafted(two)
  const open = [
    await begun(await exportContact(one, { id })),
    await begun(await exportContacts(two, {})),
    await begun(await exportSuppressions(one, {})),
    await begun(await exportRecipients(two, { id: campaign.id })),
  ]
  const third = await projectOf('usr_a')
  for (const ctx of [one, two, third])
    await expect(begun(await exportContacts(ctx, {}))).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      message: '4 exports of this account or project run, which is the maximum. Try again in 10 seconds.',
    })
  const other = await begun(await exportContacts(await projectOf('usr_b'), {}))
  for (const reading of [...open, other]) await reading.return?.()
  await (await begun(await exportSuppressions(third, {}))).return?.()
})
