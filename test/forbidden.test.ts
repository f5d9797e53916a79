import ts from 'typescript'
import { expect, test } from 'vitest'
import { all, found, parsed } from './help/syntax.ts'

// What no module may do, because a limit or a right would not hold. Each list has the exceptions: whoever adds one says why there.
const modules = parsed.filter(({ path }) => path.startsWith('src/modules/'))

const isCall = (of: RegExp) => (node: ts.Node) => ts.isCallExpression(node) && of.test(node.expression.getText())

test('only the kit and the server speak to the network, other programs and the environment: modules ask them, so that limits hold', () => {
  const closed = /^node:(child_process|cluster|dgram|dns|dns\/promises|http|http2|https|net|process|tls)$/
  const imported = modules.flatMap(({ path, node }) =>
    all(node, (part) => ts.isImportDeclaration(part) || (ts.isCallExpression(part) && part.expression.kind === ts.SyntaxKind.ImportKeyword))
      .filter((part) => !(ts.isImportDeclaration(part) && part.importClause?.isTypeOnly))
      .map(
        (part) => `${path}: ${(ts.isImportDeclaration(part) ? part.moduleSpecifier : (part as ts.CallExpression).arguments[0])?.getText()}`,
      ),
  )
  const outside = [
    ...imported.filter((one) => closed.test(one.split(': ')[1]?.replace(/['"]/g, '') ?? '')),
    ...found(parsed, isCall(/(^|\.)fetch$/)),
    ...found(parsed, (node) => ts.isNewExpression(node) && /^(globalThis\.)?(WebSocket|EventSource)$/.test(node.expression.getText())),
    ...found(parsed, (node) => ts.isPropertyAccessExpression(node) && /^\$(queryRaw|executeRaw)/.test(node.name.text)),
  ]
  // The addresses of providers are settings of the operator, not of users.
  expect(outside).toEqual([
    "src/modules/oauth/provider.ts: fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })",
  ])
})

test('the time is that of ctx.clock, and what is unguessable comes from node:crypto', () => {
  const isNow = (node: ts.Node) =>
    (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length) || isCall(/^Date\.now$/)(node)
  expect(found(modules, isNow)).toEqual([])
  // A slot of a counter.
  expect(found(modules, isCall(/^Math\.random$/))).toEqual(['src/modules/billing/charge.ts: Math.random()'])
})

test('what is cached is so per world and within bounds: a file of a module holds nothing that changes', () => {
  const changing = /^new (Map|Set)\b|^\[\]|^\{\}$/
  const isChanged = (file: ts.SourceFile, name: string) =>
    all(
      file,
      (node) => ts.isPropertyAccessExpression(node) && node.expression.getText() === name && /^(set|add|push|delete)$/.test(node.name.text),
    ).length > 0
  const held = modules.flatMap(({ path, node }) =>
    node.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) =>
        declarationList.declarations
          .filter(({ name, initializer }) =>
            declarationList.flags & ts.NodeFlags.Let
              ? true
              : changing.test(initializer?.getText() ?? '') && isChanged(node, name.getText()),
          )
          .map(({ name }) => `${path}: ${name.getText()}`),
      ),
  )
  expect(held.sort()).toEqual([
    // How many emails its thread has rendered.
    'src/modules/emails/message/thread.ts: renders',
    // Loaded once, the same for everybody.
    'src/modules/uploads/picture.ts: loaded',
    'src/modules/verification/lists.ts: loaded',
  ])
})

test('a timer belongs to a world, which ends it', () => {
  const isInFunction = (node: ts.Node): boolean => node.parent && (ts.isFunctionLike(node.parent) || isInFunction(node.parent))
  const timers = found(modules, (node) => isCall(/^set(Interval|Timeout)$/)(node) && !isInFunction(node))
  expect(timers).toEqual([])
})

test('a statement is made once, of text that is written here: what a caller sends is a parameter', () => {
  // Made of lists, filters and columns, whose text is written in the files of statements; what callers send is bound.
  const makers = [
    'src/modules/activity/sql.ts',
    'src/modules/campaigns/audience/sql.ts',
    'src/modules/contacts/export/sql.ts',
    'src/modules/filters/sql.ts',
    'src/modules/jobs/sql.ts',
    'src/modules/segments/tracking/sql.ts',
    'src/modules/workflows/triggers/sql.ts',
  ]
  const isTop = (node: ts.Node): boolean => ts.isVariableDeclaration(node.parent) && ts.isSourceFile(node.parent.parent.parent.parent)
  const made = modules.flatMap(({ path, node }) =>
    all(node, isCall(/^statement$/))
      .filter((call) => !isTop(call))
      .map(() => path),
  )
  expect([...new Set(made)].sort()).toEqual(makers)
})

test('text becomes HTML by the templates of kit/html alone, which escape it', () => {
  const isRaw = (node: ts.Node) => ts.isNewExpression(node) && node.expression.getText() === 'Markup'
  expect(
    found(
      parsed.filter(({ path }) => !path.startsWith('src/kit/html/')),
      isRaw,
    ),
  ).toEqual([])
})

test('what is written is waited for: a log line that is written beside its transaction may be missing', () => {
  expect(
    found(
      modules,
      (node) =>
        ts.isVoidExpression(node) &&
        !node.getText().startsWith('void (await ') &&
        /\b(db|tx)\.(run|transaction|prisma)\b|\bappendEvents\(/.test(node.getText()),
    ),
  ).toEqual([])
})

test('no secret and no content of an email is a field of a line of the log of the process', () => {
  const secret = /^(authorization|body|content|cookie|data|html|passwordHash|password|secret|sealed|text|token|unsubscribeUrl)$/i
  // Everything that something has, such as `...mail`; what is written there, as in `...(at && { at })`, is looked at itself.
  const isWhole = (node: ts.Node) => ts.isSpreadAssignment(node) && all(node, ts.isObjectLiteralExpression).length === 0
  const lines = parsed.flatMap(({ path, node }) =>
    all(node, isCall(/\blog\.(debug|info|warn|error)$/)).flatMap((call) =>
      all(call, (part) => (ts.isIdentifier(part) && secret.test(part.text)) || isWhole(part)).map((part) => `${path}: ${part.getText()}`),
    ),
  )
  expect(lines).toEqual([
    // A project and a domain.
    'src/modules/emails/delivery/pauses.ts: ...sender',
    // The path of a field.
    ...Array.from({ length: 2 }, () => 'src/server/replies.ts: ...details'),
  ])
})

test('no secret is part of a sentence that a caller is told', () => {
  const secret = /^(authorization|cookie|hash|passwordHash|password|sealed|secret|secretHash|token|tokenHash)$/i
  const isSecret = (node: ts.Node) => all(node, (part) => ts.isIdentifier(part) && secret.test(part.text)).length > 0
  const failures = parsed.flatMap(({ path, node }) =>
    all(node, (part) => ts.isNewExpression(part) && part.expression.getText() === 'Failure').map((part) => ({ path, part })),
  )
  const told = failures.flatMap(({ path, part }) =>
    all(part, (one) => ts.isTemplateSpan(one) && isSecret(one.expression)).map((one) => `${path}: ${one.getText()}`),
  )
  expect(failures.length).toBeGreaterThan(150)
  expect(told).toEqual([])
})

test('what is looked for in a text is a text: %, _ and \\ in it are no patterns (`escapeLike`)', () => {
  const isPattern = (node: ts.Node) => ts.isPropertyAssignment(node) && /^(contains|startsWith|endsWith)$/.test(node.name.getText())
  // The language of filters has an operator of that name.
  const ofPrisma = found(
    modules.filter(({ path }) => !path.startsWith('src/modules/filters/')),
    isPattern,
  )
  expect(ofPrisma.length).toBeGreaterThan(3)
  expect(ofPrisma.filter((one) => !one.includes('escapeLike('))).toEqual([])
})

test('an error is handled, passed on or said: none is swallowed', () => {
  expect(found(parsed, (node) => ts.isCatchClause(node) && node.block.statements.length === 0)).toEqual([])
  const isSwallowing = (node: ts.Node) => ts.isArrowFunction(node) && /^(undefined|null|false|void 0|\{\s*\})$/.test(node.body.getText())
  expect(found(modules, (node) => isCall(/\.catch$/)(node) && all(node, isSwallowing).length > 0)).toEqual([
    // An email that cannot be read is shown as it is.
    'src/modules/emails/parsing/thread.ts: PostalMime.parse(raw, limits).catch(() => null)',
    // A wait that is given up.
    'src/modules/resets/completion.ts: sleep(Math.max(ms, 0), false, { signal: gone }).catch(() => false)',
  ])
})
