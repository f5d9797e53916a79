import { type CpuBudget, renderTemplate, type TemplateFormat } from '../../../kit/liquid.ts'

/** A template that only prints values between texts: `texts` has one entry more than `outputs`. */
export interface Outputs {
  texts: string[]
  outputs: string[]
}

// Private-use characters, which stand between outputs; a template or value that has them is rendered as a whole.
const separator = '\ue001'
// Beyond, what is saved per email is little.
const maxOutputs = 100
const maxValues = 1_000_000

/** Splits a template into texts and simple outputs; null when it has anything else: tags, `raw`, whitespace control, braces in an output. */
export function outputsOf(template: string): Outputs | null {
  if (template.includes('{%') || template.includes(separator)) return null
  const found: Outputs = { texts: [], outputs: [] }
  let done = 0
  for (const { 0: output, 1: inner = '', index } of template.matchAll(/\{\{([^{}\\]*)\}\}/g)) {
    const unquoted = inner.replace(/"[^"]*"|'[^']*'/g, '')
    if (inner.startsWith('-') || inner.endsWith('-') || /["']|\|\s*raw\b/.test(unquoted)) return null
    found.texts.push(template.slice(done, index))
    found.outputs.push(output)
    done = index + output.length
  }
  found.texts.push(template.slice(done))
  if (found.outputs.length > maxOutputs || found.texts.some((text) => text.includes('{{'))) return null
  return found.texts.slice(0, -1).some((text) => text.endsWith('{')) ? null : found
}

/**
 * The values of outputs, rendered together so that the budget and the limits of templates hold for all of them. Null where
 * rendering the whole template could give something else than texts and values. Throws TemplateFailure.
 */
export function renderOutputs(
  outputs: readonly string[],
  { scope, format, budget }: { scope: Record<string, unknown>; format: TemplateFormat; budget: CpuBudget },
): string[] | null {
  if (outputs.length === 0) return []
  const printed = renderTemplate(outputs.join(separator), scope, format, budget)
  const values = printed.split(separator)
  const unusual = format === 'html' ? /[\0<>"']/ : /\0/
  return values.length !== outputs.length || printed.length > maxValues || !printed.isWellFormed() || unusual.test(printed) ? null : values
}

/** A template with its values. */
export function withValues({ texts }: Outputs, values: readonly string[]): string {
  return texts.map((text, at) => text + (values[at] ?? '')).join('')
}
