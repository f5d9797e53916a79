import { oneOf, type Place, placeOf, text } from '../../data/search.ts'
import type { EmailType } from '../../graphql/graphql.ts'
import { type PreviewLook, previewLookOf } from '../../parts/editor/preview-look.ts'

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

/** What the address of a template says besides which it is. */
export interface TemplateSearch extends PreviewLook {
  /** The drawer with its versions: `all`, or the number of one. */
  versions?: 'all' | number | undefined
}

/** The look of the preview, and the version that an address asks for. */
export function templateSearch(given: Record<string, unknown>): TemplateSearch {
  return { ...previewLookOf(given), versions: versionsOf(text(given.versions)) }
}

function versionsOf(word: string | undefined): TemplateSearch['versions'] {
  if (word === 'all') return word
  return word !== undefined && /^[1-9]\d{0,8}$/.test(word) ? Number(word) : undefined
}
