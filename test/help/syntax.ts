import ts from 'typescript'
import { type Source, sources } from './sources.ts'

/** The files of the product, without the dashboard and what is generated, as TypeScript reads them. */
export const parsed = sources('src', /(?<!\.d)\.ts$/)
  .filter(({ path }) => !/^src\/(generated|dashboard)\//.test(path))
  .map((source) => ({ ...source, node: parse(source) }))

function parse({ path, text }: Source): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
}

/** The files of the dashboard, without what is generated. */
export const ofDashboard = sources('src/dashboard', /(?<!\.d)\.tsx?$/)
  .filter(({ path }) => !path.startsWith('src/dashboard/graphql/'))
  .map((source) => ({ ...source, node: parse(source) }))

/** The first lines of the parts of some files that are wanted, each behind the path of its file. */
export function found(files: typeof parsed, isWanted: (node: ts.Node) => boolean): string[] {
  return files.flatMap(({ path, node }) => all(node, isWanted).map((part) => `${path}: ${part.getText().split('\n')[0]}`))
}

/** The parts of a file that are wanted, also those inside others. */
export function all(part: ts.Node, isWanted: (node: ts.Node) => boolean): ts.Node[] {
  const inside: ts.Node[] = []
  ts.forEachChild(part, (child) => void inside.push(...all(child, isWanted)))
  return isWanted(part) ? [part, ...inside] : inside
}
