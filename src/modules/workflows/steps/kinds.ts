import { z } from 'zod'
import { segmentsOf } from '../../filters/language.ts'
import { condition, maxBranches, namesIn } from './condition.ts'
import { delay } from './delay.ts'
import { exit } from './exit.ts'
import { plain, type StepKind } from './kind.ts'
import { sendEmail } from './send-email.ts'
import { updateContact } from './update-contact.ts'
import { waitForEvent } from './wait-for-event.ts'
import { webhook } from './webhook.ts'

/** What a step does. */
export const StepType = z
  .enum(['SEND_EMAIL', 'DELAY', 'WAIT_FOR_EVENT', 'CONDITION', 'WEBHOOK', 'UPDATE_CONTACT', 'EXIT'])
  .meta({ description: 'What a step does.', examples: ['SEND_EMAIL'] })
/** What a step does. */
export type StepType = z.output<typeof StepType>

/** Every kind of steps. */
export const kinds: Readonly<Record<StepType, StepKind<object>>> = {
  SEND_EMAIL: sendEmail,
  DELAY: delay,
  WAIT_FOR_EVENT: waitForEvent,
  CONDITION: condition,
  WEBHOOK: webhook,
  UPDATE_CONTACT: updateContact,
  EXIT: exit,
}

/** The parts of the config of each type, for the API, in Markdown. */
export const partsText = `${Object.entries(kinds)
  .map(([type, { parts }]) => `- ${type}: ${parts}`)
  .join('\n')}.`

/** What steps of each type write down, for the API, in Markdown. */
export const outputText = `${Object.entries(kinds)
  .map(([type, { output }]) => `- ${type}: ${output}`)
  .join('\n')}.`

/** What each type does, for the API: sentences. */
export const meanings = Object.fromEntries(Object.entries(kinds).map(([type, { meaning }]) => [type, meaning])) as Record<StepType, string>

/** The names of the exits of each type, for the API, in Markdown. */
export const exitsText = `${Object.entries(kinds)
  .flatMap(([type, kind]) => (kind.exitsText ? `${type}: ${kind.exitsText}` : []))
  .join('; ')}; others: none.`

/** What the name of an exit is, for the API. */
export const nameText =
  'What people call the exit, in English: the name of the branch of a condition, or its id where it has none; otherwise such as `Yes` or `When it happens`.'

/** The types of steps that send a template. */
export const templateTypes = Object.entries(kinds).flatMap(([type, { takesTemplate }]) => (takesTemplate ? type : []))

/** The same, as a sentence has them. */
export const templateTypesText = templateTypes.join(' or ')

/** A step, as far as its kind decides about it. `config` is one that its kind has read. */
export interface Configured {
  type: StepType
  config: object
}

/** The exits of a step: the names of branches, empty for the plain one. */
export function exitsOf({ type, config }: Configured): string[] {
  return kinds[type].exits(config)
}

/** The exits that a step takes: a wait without a timeout has one for it, and never takes that. */
export function takenExitsOf(step: Configured): string[] {
  return kinds[step.type].takes?.(step.config) ?? exitsOf(step)
}

/** How many exits a step takes at most: those of all branches, and that of what matches none. */
export const maxTakenExits = maxBranches + 1

/** The exits that a step takes, with what people call them. */
export function namedExitsOf(step: Configured): { exit: string; name: string }[] {
  return takenExitsOf(step).map((exit) => ({ exit, name: nameOfExit(step, exit) }))
}

/** What people call an exit of a step. */
export function nameOfExit({ type, config }: Configured, exit: string): string {
  return kinds[type].nameOfExit?.(exit, config) ?? 'Then'
}

/** The exit that a branch of a transition names: a wait has two names for one. */
export function exitNamed({ type }: Pick<Configured, 'type'>, branch: string): string {
  return kinds[type].aliases?.[branch] ?? branch
}

/** The names that a transition may give to the exits of a step, as a sentence has them. */
export function branchesSentence(step: Configured): string {
  const exits = exitsOf(step)
  const named = [...exits.filter((name) => name !== plain), ...Object.keys(kinds[step.type].aliases ?? {})].map((name) => `"${name}"`)
  if (exits.includes(plain)) named.unshift('none')
  return [named.slice(0, -1).join(', '), named.at(-1)].filter(Boolean).join(' or ')
}

/** The fields, events and segments that a step names: those of its conditions, and others of its config. */
export function namedBy({ type, config }: Configured): { asks: string[]; segmentIds: string[] } {
  const { conditions, asks } = kinds[type]
  const found = (conditions?.(config) ?? []).map((one) => one.condition)
  return {
    asks: [...new Set([...found.flatMap(namesIn), ...(asks?.(config) ?? [])])],
    segmentIds: [...new Set(found.flatMap(segmentsOf))],
  }
}
