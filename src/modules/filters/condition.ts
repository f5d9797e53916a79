import { z } from 'zod'
import { problemsOfCondition, type Use } from './language.ts'
import { AnyCondition, type Condition as ConditionType, conditionExample, conditionText } from './shapes.ts'
import { whyTooLarge } from './size.ts'

const examples = [conditionExample]

const bounded = z.preprocess((condition, ctx) => {
  const message = whyTooLarge(condition)
  if (message) ctx.addIssue({ code: 'custom', message, params: { code: 'too_big' } })
  return condition
}, AnyCondition)

/** A condition that selects contacts, as segments and audiences have; refused with everything that is wrong with it. */
export const Condition = bounded.superRefine(check('audience')).meta({ description: conditionText, examples })

/**
 * The condition of a workflow: it may also ask the context of the execution, by `event.<key>` with an operator that does not
 * ask whether an event was triggered.
 */
export const WorkflowCondition = bounded.superRefine(check('workflow')).meta({
  description: `${conditionText} \`event.<key>\` with an operator of custom data asks the event that started the execution.`,
  examples,
})

function check(use: Use) {
  return (condition: ConditionType, ctx: z.RefinementCtx): void => {
    for (const { path, message, code } of problemsOfCondition(condition, use))
      ctx.addIssue({ code: 'custom', path, message, params: { code } })
  }
}
