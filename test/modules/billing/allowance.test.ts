import { expect, test } from 'vitest'
import { asker } from '../../help/ask.ts'
import { graphql } from '../../help/graphql/index.ts'
import { accept, sendingProject } from '../../help/mails.ts'
import { testServer } from '../../help/server.ts'

const stripe = { STRIPE_SECRET_KEY: 'sk_test_none', STRIPE_WEBHOOK_SECRET: 'whsec_none', STRIPE_PRICE_EMAIL_USAGE: 'price_none' }
const free = await testServer({ env: { ...stripe, FREE_MAILS_PER_MONTH: '10' } })
const unbilled = await testServer()

const Caps = graphql(`
  query CapsOfProject {
    project {
      billingLimits {
        freeAllowance { category limit usage remaining isBlocked }
        transactional { category limit usage remaining }
        campaigns { category limit usage remaining }
      }
    }
  }
`)
const SetCaps = graphql(`
  mutation SetCaps($input: UpdateBillingLimitsInput!) {
    updateBillingLimits(input: $input) { billingLimits { transactional { limit remaining } campaigns { limit } freeAllowance { limit } } }
  }
`)

test('each cap counts its own category, and the free allowance stands apart with what remains of it', async () => {
  const { ctx, secret } = await sendingProject(free.world)
  const ask = asker(free.url, secret)
  for (const to of ['a@example.com', 'b@example.com', 'c@example.com']) await accept(ctx, { to })
  const limits = async () => (await ask(Caps)).data?.project.billingLimits
  expect(await limits()).toEqual({
    freeAllowance: { category: null, limit: 10, usage: 3, remaining: 7, isBlocked: false },
    transactional: { category: 'TRANSACTIONAL', limit: null, usage: 3, remaining: null },
    campaigns: { category: 'CAMPAIGNS', limit: null, usage: 0, remaining: null },
  })
  // What is read can be sent again: nothing of it is the allowance.
  const { data } = await ask(SetCaps, { input: { transactional: 2, campaigns: null } })
  expect(data?.updateBillingLimits.billingLimits).toEqual({
    transactional: { limit: 2, remaining: 0 },
    campaigns: { limit: null },
    freeAllowance: { limit: 10 },
  })
})

test('there is no free allowance where nothing is billed', async () => {
  const { secret } = await sendingProject(unbilled.world)
  const { data } = await asker(unbilled.url, secret)(Caps)
  expect(data?.project.billingLimits.freeAllowance).toBeNull()
})
