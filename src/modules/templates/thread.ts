import { checkTemplate } from '../../kit/liquid.ts'
import { answering } from '../../kit/threads.ts'

/** Checks templates in a thread of their own. */
export const checkTemplates = answering((source: string) => checkTemplate(source))
