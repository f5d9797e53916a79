import { expect, test } from 'vitest'
import { usableLocale } from '../../src/dashboard/data/format.ts'

test.each([
  [['de-CH', 'en'], 'de-CH'],
  [['en-US@posix', 'en-US'], 'en-US'],
  [['C', 'POSIX'], 'en'],
  [[], 'en'],
])('numbers and times of a browser with the languages %j are written in %s', (languages, locale) => {
  expect(usableLocale(languages)).toBe(locale)
})
