import { z } from 'zod'
import { Failure, notFound } from '../../../kit/errors.ts'
import { CustomData, type Json } from '../../../kit/shapes.ts'
import { changeContactWithin } from '../../contacts/contacts.ts'
import { sortData } from '../../contacts/data.ts'
import { kind, plain } from './kind.ts'

// The bounds of data are those of every call that changes a contact.
const updates = CustomData.superRefine((data, ctx) => {
  try {
    sortData(data as Record<string, Json>)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    for (const { field, message, code } of error.errors ?? [])
      ctx.addIssue({ code: 'custom', path: field.split('.').slice(1), message, params: { code } })
  }
})

const config = z.object({
  updates: updates.optional(),
  subscriptionAction: z.enum(['none', 'subscribe', 'unsubscribe']).optional(),
})

/** Changes the data of the contact by the rules for custom data, and subscribes or unsubscribes it. */
export const updateContact = kind({
  label: 'Update contact',
  meaning: 'Changes the data of the contact, or its subscription.',
  parts: '`updates`: custom data, merged by the same rules as everywhere; `subscriptionAction`: none, subscribe or unsubscribe',
  output: '`updated`, `updates`, `subscriptionAction`, `subscribed`',
  config,
  exits: () => [plain],
  missing: ({ updates: data = {}, subscriptionAction = 'none' }) => {
    const { set, removed } = sortData(data as Record<string, Json>)
    const isEmpty = Object.keys(set).length === 0 && removed.length === 0
    return isEmpty && subscriptionAction === 'none' ? '"updates" or "subscriptionAction"' : null
  },
  run: async ({ ctx, contactId, executionId, depth, step }) => {
    const { updates: data = {}, subscriptionAction = 'none' } = step.config
    const patch = sortData(data as Record<string, Json>)
    const subscribed = subscriptionAction === 'none' ? undefined : subscriptionAction === 'subscribe'
    return async (tx) => {
      const line = { executionId, depth }
      const contact = await changeContactWithin(ctx, tx, { id: contactId, patch, subscribed, line })
      if (!contact) throw notFound('CONTACT_NOT_FOUND')
      return {
        kind: 'leave',
        exit: plain,
        output: { updated: true, updates: data, subscriptionAction, subscribed: contact.subscribed },
      }
    }
  },
  asks: ({ updates: data = {} }) => Object.keys(data).map((key) => `data.${key}`),
})
