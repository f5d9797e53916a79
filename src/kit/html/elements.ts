/**
 * How many elements an HTML document has at most: its opening or its closing tags, whichever are more, also where they stand in a comment.
 * Signs that begin no tag are pieces of text, of which four count as one element. Stops counting behind `max`.
 */
export function elementsIn(html: string, max: number): number {
  let opening = 0
  let closing = 0
  let others = 0
  for (
    let at = html.indexOf('<');
    at !== -1 && opening <= max && closing <= max && others <= max * othersPerElement;
    at = html.indexOf('<', at + 1)
  ) {
    const closes = html.charCodeAt(at + 1) === slash
    if (!isLetter(html.charCodeAt(closes ? at + 2 : at + 1))) others++
    else if (closes) closing++
    else opening++
  }
  return Math.max(opening, closing, Math.ceil(others / othersPerElement))
}

const othersPerElement = 4
const slash = 47
const lowerCase = 32
const isLetter = (code: number): boolean => (code | lowerCase) >= 97 && (code | lowerCase) <= 122
