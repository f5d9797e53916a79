import type { NameOf } from '../../data/clauses.ts'
import { number } from '../../data/format.ts'
import type { WorkflowStepItemFragment } from '../../graphql/graphql.ts'
import { clauseOf } from '../../parts/condition/sentence.ts'
import { branchesOf, configOf } from './kinds.ts'
import { fieldOf, groupOf } from './steps/condition.ts'
import { spanOf } from './steps/span.ts'

/** What a step does, in a line. */
export function summaryOf(step: WorkflowStepItemFragment, nameOf: NameOf): string {
  const config = configOf(step)
  switch (step.type) {
    case 'SEND_EMAIL':
      return step.template ? `“${step.template.name}”${recipientOf(config)}` : 'No template yet'
    case 'DELAY':
      return typeof config.amount === 'number' ? `Waits ${spanText(config.amount, config.unit)}` : 'No span yet'
    case 'WAIT_FOR_EVENT':
      return config.eventName ? `Waits for “${config.eventName}”${timeoutOf(config)}` : 'No event yet'
    case 'CONDITION':
      return conditionText(config, nameOf)
    case 'WEBHOOK':
      return config.url ? `${config.method ?? 'POST'} ${config.url}` : 'No URL yet'
    case 'UPDATE_CONTACT':
      return updatesText(config)
    default:
      return config.reason ? `Ends: ${config.reason}` : 'Ends the execution'
  }
}

function spanText(amount: number, unit: unknown): string {
  const name = typeof unit === 'string' ? unit.toLowerCase() : 'minutes'
  return `${number(amount)} ${amount === 1 ? name.slice(0, -1) : name}`
}

function recipientOf({ recipient }: Record<string, unknown>): string {
  const { type, customEmail } = (recipient ?? {}) as { type?: string; customEmail?: string }
  return type === 'CUSTOM' ? ` to ${customEmail ?? 'another address'}` : ''
}

function timeoutOf({ timeout }: Record<string, unknown>): string {
  if (typeof timeout !== 'number') return ', for ever'
  const { amount, unit } = spanOf(timeout)
  return `, at most ${spanText(amount, unit)}`
}

function conditionText(config: Record<string, unknown>, nameOf: NameOf): string {
  const branches = branchesOf(config)
  if (branches) return typeof config.field === 'string' ? `By “${fieldOf(config.field)}”` : 'No field yet'
  const group = groupOf(config)
  return group ? `If ${clauseOf(group, nameOf)}` : 'No condition yet'
}

function updatesText({ updates, subscriptionAction }: Record<string, unknown>): string {
  const entries = Object.entries((updates ?? {}) as Record<string, unknown>)
  const set = entries.filter(([, value]) => value !== null).map(([key]) => key)
  const removed = entries.filter(([, value]) => value === null).map(([key]) => key)
  const parts = [
    set.length > 0 && `sets ${set.join(', ')}`,
    removed.length > 0 && `removes ${removed.join(', ')}`,
    subscriptionAction === 'SUBSCRIBE' && 'subscribes the contact',
    subscriptionAction === 'UNSUBSCRIBE' && 'unsubscribes the contact',
  ].filter((part) => part !== false)
  const text = parts.join(', ')
  return text === '' ? 'No change yet' : text.charAt(0).toUpperCase() + text.slice(1)
}
