import { german } from './languages/de.ts'
import { english } from './languages/en.ts'
import { spanish } from './languages/es.ts'
import { french } from './languages/fr.ts'
import { dutch } from './languages/nl.ts'
import type { Wording } from './languages/wording.ts'

/** The wordings by language code (ISO 639-1). To add a language, add its file and list it here. */
export const wordings: Record<string, Wording> = { en: english, de: german, es: spanish, fr: french, nl: dutch }

/** The wording in the first supported language: pass the contact's locale, then the project's language; English otherwise. */
export function wordingFor(...languages: unknown[]): { language: string; words: Wording } {
  for (const wanted of languages) {
    if (typeof wanted !== 'string') continue
    const language = wanted.toLowerCase().split(/[-_]/)[0] ?? ''
    const words = wordings[language]
    if (words && Object.hasOwn(wordings, language)) return { language, words }
  }
  return { language: 'en', words: english }
}
