import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { wordingFor, wordings } from '../../../../src/modules/emails/subscription/wording.ts'

type Texts = { [key: string]: string | Texts }

/** The texts of a wording by their paths. */
function textsOf(texts: object, path = ''): [string, string][] {
  return Object.entries(texts as Texts).flatMap(([key, text]) =>
    typeof text === 'string' ? [[path + key, text] as [string, string]] : textsOf(text, `${path}${key}.`),
  )
}

const placeholdersIn = (text: string): string[] => [...text.matchAll(/\{\w*\}/g)].map(([placeholder]) => placeholder).sort()
const placeholdersOf = (wording: object) => textsOf(wording).map(([key, text]) => [key, placeholdersIn(text)])

describe('every language', () => {
  test('has a file, which is listed', async () => {
    const files = (await readdir(new URL('../../../../src/modules/emails/subscription/languages/', import.meta.url))).sort()
    expect(files.filter((file) => file !== 'wording.ts')).toEqual(
      Object.keys(wordings)
        .sort()
        .map((code) => `${code}.ts`),
    )
  })

  test.each(Object.entries(wordings))('has every text with every placeholder: %s', (_code, wording) => {
    expect(placeholdersOf(wording).sort()).toEqual(placeholdersOf(wordings.en ?? {}).sort())
    expect(textsOf(wording).filter(([, text]) => text.trim() === '' || text !== text.trim())).toEqual([])
  })

  test.each(Object.entries(wordings).filter(([code]) => code !== 'en'))('is translated: %s', (_code, wording) => {
    const english = new Map(textsOf(wordings.en ?? {}))
    expect(textsOf(wording).filter(([key, text]) => key !== 'direction' && english.get(key) === text)).toEqual([])
  })
})

describe('the language', () => {
  test.each([
    [['nl', 'de'], 'nl'],
    [['nl-BE', 'de'], 'nl'],
    [['PT_br', 'de-AT'], 'de'],
    [[undefined, 'fr'], 'fr'],
    [[7, 'es'], 'es'],
    [['', 'xx'], 'en'],
    [['__proto__', 'constructor'], 'en'],
    [[], 'en'],
  ])('of %j is that of the contact, then that of the project, then English: %s', (languages, expected) => {
    expect(wordingFor(...languages).language).toBe(expected)
  })
})
