import { oneOf, type Place, placeOf, text } from '../../data/search.ts'
import type { EmailType } from '../../graphql/graphql.ts'

/** The address of the list. */
export interface TemplatesSearch extends Place {
  type?: EmailType | undefined
  search?: string | undefined
  create?: true | undefined
}

/** What the address of the list says. */
export function templatesSearch(given: Record<string, unknown>): TemplatesSearch {
  return {
    type: oneOf(['MARKETING', 'TRANSACTIONAL', 'HEADLESS'], given.type),
    search: text(given.search),
    create: given.create === true || undefined,
    ...placeOf(given),
  }
}
