import type { z } from 'zod'
import type { Condition } from '../../filters/shapes.ts'
import type { Run } from './visit.ts'

/** A condition of a step, and where in its config it is. */
export interface PlacedCondition {
  /** The path in the config; empty where the config itself is the condition. */
  at: string
  condition: Condition
  /** The exit that it leads to. */
  exit: string
}

/** What one kind of steps is: its config, and where it leads. */
export interface StepKind<Config extends object> {
  /** The name of a step that was given none. */
  label: string
  /** What it does, for the API: a sentence. */
  meaning: string
  /** The parts of its config, for the API, in Markdown. */
  parts: string
  /** The config as it may be saved: everything may be missing, and nothing may be wrong. */
  config: z.ZodType<Config>
  /** What such a step writes down when it is done, and before, for the API, in Markdown. */
  output: string
  /** The exits that transitions of a step with this config may have: the names of branches, empty for the plain one. */
  exits(config: Config): string[]
  /** Those that the step takes; default: all of them. */
  takes?(config: Config): string[]
  /** Those that contacts take sooner or later, so that each should lead somewhere; default: none. */
  expects?(config: Config): string[]
  /** What people call an exit; default: `Then`. */
  nameOfExit?(exit: string, config: Config): string
  /** The names of its exits, for the API, in Markdown; default: it has the plain one alone, or none. */
  exitsText?: string
  /** Whether it sends the template of its step, which must have one then. */
  takesTemplate?: true
  /** Whether an execution may wait at such a step for ever; default: no. */
  mayWaitForever?(config: Config): boolean
  /** Other names of exits, by the name that is accepted. */
  aliases?: Readonly<Record<string, string>>
  /** What the config lacks for the step to run: the end of the sentence "the step needs …"; null when it is complete. */
  missing(config: Config): string | null
  /** The conditions of the config. */
  conditions?(config: Config): PlacedCondition[]
  /** The fields and events that the config names besides its conditions, as conditions name them. */
  asks?(config: Config): string[]
  /** Does its work for one execution. Fails with a Failure where the step must fail, and with CONTACT_NOT_FOUND where it is cancelled. */
  run: Run<Config>
}

/** Declares a kind of steps; a kind is used with the configs that its own shape has read. */
export function kind<Config extends object>(declared: StepKind<Config>): StepKind<object> {
  return declared as unknown as StepKind<object>
}

/** The plain exit of a step. */
export const plain = ''
