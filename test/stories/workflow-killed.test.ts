import { test } from 'vitest'
import { killWhileOnboarding } from '../help/workflow-story.ts'
import { testWorld } from '../help/world.ts'

const world = await testWorld({ running: true })

test('eight kills while two workers take 100 contacts through a workflow: each walks its path exactly once', async () => {
  await killWhileOnboarding(world, { contacts: 100, kills: 8, waitSeconds: 10 })
}, 300_000)
