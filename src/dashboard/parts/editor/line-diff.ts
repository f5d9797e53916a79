import { diffLines } from 'diff'

/** Lines of a difference that stand together: the same in both, or in one only; `skipped` stands for lines that are the same. */
export interface Hunk {
  kind: 'same' | 'added' | 'removed' | 'skipped'
  lines: string[]
}

const around = 3
// Two texts that have little in common would take minutes.
const maxMs = 500

/** What became of the lines of a text; undefined where the two have too little in common to say. */
export function diffOf(before: string, after: string): Hunk[] | undefined {
  const changes = diffLines(before, after, { timeout: maxMs })
  return changes?.flatMap(({ added, removed, value }, at): Hunk[] => {
    const lines = value.replace(/\n$/, '').split('\n')
    if (added || removed) return [{ kind: added ? 'added' : 'removed', lines }]
    return shortened(lines, { isFirst: at === 0, isLast: at === changes.length - 1 })
  })
}

function shortened(lines: string[], { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): Hunk[] {
  const head = isFirst ? 0 : around
  const tail = isLast ? 0 : around
  if (lines.length <= head + tail + 1) return [{ kind: 'same', lines }]
  const parts: Hunk[] = [
    { kind: 'same', lines: lines.slice(0, head) },
    { kind: 'skipped', lines: lines.slice(head, lines.length - tail) },
    { kind: 'same', lines: tail === 0 ? [] : lines.slice(-tail) },
  ]
  return parts.filter(({ lines: some }) => some.length > 0)
}
