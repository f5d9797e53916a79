import { oneOf, text } from '../../data/search.ts'

/** How a preview is shown; it is in the address. */
export interface PreviewLook {
  contact?: string | undefined
  view?: 'html' | 'text' | 'links' | undefined
  width?: '360' | '600' | 'full' | undefined
  scheme?: 'light' | 'dark' | undefined
}

/** The look that an address asks for. */
export function previewLookOf(given: Record<string, unknown>): PreviewLook {
  return {
    contact: text(given.contact),
    view: oneOf(['html', 'text', 'links'], given.view),
    width: oneOf(['360', '600', 'full'], text(given.width)),
    scheme: oneOf(['light', 'dark'], given.scheme),
  }
}
