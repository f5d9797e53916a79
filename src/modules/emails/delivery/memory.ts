import { type Budget, createBudget } from '../../../kit/budget.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { dataGrowth } from '../message/content.ts'
import type { ClaimedEmail } from '../queue/claim.ts'
import { lastMessageBytes } from './renderers.ts'

/**
 * Waits until there is memory for an email and its content, and reserves it. A content that several emails share counts once. Accounts
 * take turns, and none has all of it, for however long its emails wait for the mail server. Returns what gives it back; call that once.
 */
export async function reserveMemory(world: World, email: ClaimedEmail): Promise<() => void> {
  const { projectId, account, contentId, contentBytes } = email
  const { contents, messages } = budgetsOf(world)[email.lane === 'transactional' ? 'urgent' : 'bulk']
  const shared = sharedOf(world)
  const key = `${projectId}/${contentId}`
  // The content first, from a budget of its own: whoever has memory for a message waits for nothing more, so that it is given
  // back, and two emails never wait for each other.
  const content = shared.get(key) ?? { users: 0, granted: contents[sizeOf(contentBytes)].take(contentBytes, account) }
  content.users++
  shared.set(key, content)
  await content.granted
  const messageBytes = bytesToRender(world, email)
  const giveMessageBack = await messages[sizeOf(messageBytes)].take(messageBytes, account)
  return () => {
    giveMessageBack()
    if (--content.users > 0) return
    shared.delete(key)
    void content.granted.then((give) => give())
  }
}

// While it is rendered: the data of the contact, the bodies, what they become, and the octets of the message. Attachments are
// not copied.
function bytesToRender(world: World, { contentId, bodyBytes, contactData, contactDataBytes }: ClaimedEmail): number {
  const expected = Math.max(bodyBytes, lastMessageBytes(world, contentId))
  return baseBytes + expected * growth + (contactData === null ? contactDataBytes * dataGrowth : 0)
}

const baseBytes = 20_000
const growth = 4
const largeFrom = 1_000_000
// Of one account.
const maxShare = 0.75

type Size = 'small' | 'large'
const sizeOf = (bytes: number): Size => (bytes > largeFrom ? 'large' : 'small')

// Two budgets each, so that large emails which wait for a slow server hold up no small ones; and of their own for emails that a
// person waits for, so that they wait for none of the others.
const budgetsOf = perWorld(({ metrics }) => {
  const budgets = { urgent: openBudgets(), bulk: openBudgets() }
  for (const { contents, messages } of Object.values(budgets)) {
    for (const budget of Object.values(contents)) metrics.reserved.watch('email_contents', budget)
    for (const budget of Object.values(messages)) metrics.reserved.watch('email_messages', budget)
  }
  return budgets
})

function openBudgets(): Record<'contents' | 'messages', Record<Size, Budget>> {
  return {
    contents: { small: createBudget(8_000_000, { maxShare }), large: createBudget(32_000_000, { maxShare }) },
    messages: { small: createBudget(24_000_000, { maxShare }), large: createBudget(88_000_000, { maxShare }) },
  }
}

interface SharedContent {
  users: number
  /** What gives its memory back, once it has been granted. */
  granted: Promise<() => void>
}

const sharedOf = perWorld(() => new Map<string, SharedContent>())
