import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'

/** One line of a row's table. A ratio above 1 is in our favour. */
export interface Figure {
  what: string
  ours: string
  yardstick: string
  ratio: string
  bar: string
}

const results = new URL('./results.md', import.meta.url)
const readme = new URL('../../README.md', import.meta.url)

/** A row's table in Markdown. */
export function table(figures: readonly Figure[]): string {
  const cells = [
    ['', 'Postwire', 'Yardstick', 'Ratio', 'Bar'],
    ['---', '---:', '---:', '---:', '---'],
    ...figures.map(({ what, ours, yardstick, ratio, bar }) => [what, ours, yardstick, ratio, bar]),
  ]
  return cells.map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/**
 * Prints a row's table and keeps it in results.md, in the place of its last one, with the day and the machine; README.md
 * gets the tables of all rows.
 */
export async function record(row: string, title: string, how: string, figures: readonly Figure[], postgres: string): Promise<void> {
  const day = new Date().toISOString().slice(0, 10)
  const section = `<!-- ${row} -->\n## ${title}\n\n${how}\n\n${table(figures)}\n\n${day}, ${machine(postgres)}. Load generator, server and Postgres share the cores.\n<!-- /${row} -->`
  process.stdout.write(`\n${title}\n\n${table(figures)}\n`)
  const there = await readFile(results, 'utf8').catch(() => '# Results of `npm run bench`\n')
  const mark = new RegExp(`<!-- ${row} -->(?:.|\n)*<!-- /${row} -->`)
  const text = mark.test(there) ? there.replace(mark, () => section) : `${there.trimEnd()}\n\n${section}\n`
  await writeFile(results, text)
  await writeFile(readme, withFigures(await readFile(readme, 'utf8'), text))
}

function machine(postgres: string): string {
  const cores = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 1024 ** 3)} GB`
  return `${cores}, Node ${process.versions.node}, PostgreSQL ${postgres}, ${process.platform} ${process.arch}`
}

function withFigures(markdown: string, text: string): string {
  const rows = [...text.matchAll(/^## (.+)\n\n[\s\S]*?\n\n((?:\|.*\n)+)\n(.*)$/gm)]
  const shown = rows.map(([, title, figures, where]) => `**${title}**\n\n${figures}\n${where}`).join('\n\n')
  return markdown.replace(/<!-- bench -->[\s\S]*<!-- \/bench -->/, () => `<!-- bench -->\n${shown}\n<!-- /bench -->`)
}

/** The middle one of some figures. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
