import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'

/** One line of a benchmark's table. A ratio above 1 is in favour of Postwire. */
export interface Figure {
  what: string
  ours: string
  yardstick: string
  ratio: string
  bar: string
}

const results = new URL('./results.md', import.meta.url)
const readme = new URL('../../README.md', import.meta.url)

/** The table of a benchmark in Markdown. */
export function table(figures: readonly Figure[]): string {
  const cells = [
    ['', 'Postwire', 'Yardstick', 'Ratio', 'Bar'],
    ['---', '---:', '---:', '---:', '---'],
    ...figures.map(({ what, ours, yardstick, ratio, bar }) => [what, ours, yardstick, ratio, bar]),
  ]
  return cells.map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/**
 * Prints the table of a benchmark and stores it in results.md, in place of the previous one, with the date and the machine.
 * README.md gets the tables of all benchmarks.
 */
export async function record(name: string, title: string, how: string, figures: readonly Figure[], postgres: string): Promise<void> {
  const day = new Date().toISOString().slice(0, 10)
  const section = `<!-- ${name} -->\n## ${title}\n\n${how}\n\n${table(figures)}\n\n${day}, ${machine(postgres)}. Load generator, server and Postgres share the cores.\n<!-- /${name} -->`
  process.stdout.write(`\n${title}\n\n${table(figures)}\n`)
  const existing = await readFile(results, 'utf8').catch(() => '# Results of `npm run bench`\n')
  const mark = new RegExp(`<!-- ${name} -->(?:.|\n)*<!-- /${name} -->`)
  const text = mark.test(existing) ? existing.replace(mark, () => section) : `${existing.trimEnd()}\n\n${section}\n`
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

/** The median. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
