import { tooMuch } from './limits.ts'

/** How many brackets of any kind may stand open at once: as many as in a JSON body, and far more than operations need. */
export const maxOpenBrackets = 100

/**
 * Refuses a document whose brackets are nested more deeply than `maxOpenBrackets`. The parser calls itself for each of them, and thousands
 * would exhaust its stack. It reads the text once, as the lexer does: brackets in strings, block strings and comments are none. Whether each
 * bracket has its counterpart is for the parser to say, which stops at the first that has not.
 */
export function checkNesting(document: string): void {
  let open = 0
  for (let at = 0; at < document.length; at++) {
    switch (document[at]) {
      case '{':
      case '[':
      case '(':
        if (++open > maxOpenBrackets) throw tooMuch(`has brackets nested too deeply; at most ${maxOpenBrackets} levels are allowed`)
        break
      case '}':
      case ']':
      case ')':
        open--
        break
      case '#':
        at = endOfLine(document, at)
        break
      case '"':
        at = document.startsWith('"""', at) ? endOfBlockString(document, at + 3) : endOfString(document, at + 1)
    }
  }
}

// Where the last character of a part stands; the end of the document where the part does not end.
function endOfLine(document: string, from: number): number {
  let at = from
  while (at < document.length && !isLineEnd(document[at])) at++
  return at
}

const isLineEnd = (character: string | undefined): boolean => character === '\n' || character === '\r'

function endOfString(document: string, from: number): number {
  for (let at = from; at < document.length; at++) {
    const character = document[at]
    if (character === '\\') at++
    else if (character === '"' || isLineEnd(character)) return at
  }
  return document.length
}

// In it only \""" is an escape.
function endOfBlockString(document: string, from: number): number {
  let at = document.indexOf('"""', from)
  while (at !== -1 && document[at - 1] === '\\') at = document.indexOf('"""', at + 3)
  return at === -1 ? document.length : at + 2
}
