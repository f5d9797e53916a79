/** Where in a text something is wrong; both count from 1. */
export interface Position {
  line: number
  column: number
}

/** The place that a message about Liquid names, such as "(line 3, column 7)". */
export function positionOf(message: string): Position | undefined {
  const [, line, column] = /line (\d+), column (\d+)/.exec(message) ?? []
  return line === undefined ? undefined : { line: Number(line), column: Number(column) }
}
