// Which files may import which (the layers are in README.md). Run by `npm test`.
const adapters = '/(rest|graphql|jobs|pages)\\.ts$'
const tools = '^src/kit/(route|builder|field-access|field-nullability|zod-input|html/page|html/layout)\\.ts$'
// What a page looks like: drawn by `pages.ts` from what operations return.
const views = '/views(\\.ts$|/)'

/** A rule: these packages may be imported by these files only. */
const onlyIn = (name, packages, files) => ({
  name: `${name}-only-in`,
  comment: `${packages} may be imported in ${files} only`,
  severity: 'error',
  from: { path: '^src', pathNot: files },
  to: { path: `^node_modules/(${packages})/` },
})

/** The order of the modules: each imports only from groups before its own. README.md says the same. */
const order = [
  'filters|idempotency|notifications|uploads|users',
  'events',
  'projects',
  'jobs|suppressions',
  'contacts|domains',
  'auth|security|segments|templates|verification',
  'billing',
  'emails',
  'campaigns|workflows',
  'analytics',
  'activity|platform|resets|ses',
  'oauth',
]
const downwards = order.map((group, at) => ({
  name: `modules-import-downwards-${at + 1}`,
  comment: `${group}: imports itself and what comes before it`,
  severity: 'error',
  from: { path: `^src/modules/(${group})/` },
  to: { path: `^src/modules/(${order.slice(at).join('|')})/`, pathNot: '^src/modules/$1/' },
}))

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...downwards,
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^(src|prisma)', pathNot: '^(src/generated|prisma/config)' },
      to: { circular: true, viaOnly: { pathNot: '^src/generated' } },
    },
    {
      name: 'no-cycles-between-modules',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/modules/[^/]+$' },
      to: { circular: true, viaOnly: { path: '^src/modules/[^/]+$' } },
    },
    {
      name: 'no-cycles-between-stages',
      comment: 'stages of a module build on one another in one direction',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/modules/[^/]+/[^/]+$' },
      to: { circular: true, viaOnly: { path: '^src/modules/[^/]+/[^/]+$' } },
    },
    {
      name: 'kit-below-modules',
      comment: 'kit imports kit and generated',
      severity: 'error',
      from: { path: '^src/kit' },
      to: { path: '^(src/(modules|server|start|main)|test|prisma)' },
    },
    {
      name: 'modules-below-server',
      comment: 'modules import kit and modules',
      severity: 'error',
      from: { path: '^src/modules' },
      to: { path: '^(src/(server|start|main)|test|prisma)' },
    },
    {
      name: 'server-below-start',
      comment: 'server does not know how it is started',
      severity: 'error',
      from: { path: '^src/server' },
      to: { path: '^src/(start|main)' },
    },
    {
      name: 'the-dashboard-alone',
      comment: 'the dashboard is a client of the API like any other: it imports nothing of the program',
      severity: 'error',
      from: { path: '^src/dashboard' },
      to: { path: '^(src|test|prisma)/', pathNot: '^src/dashboard/' },
    },
    {
      name: 'nothing-imports-the-dashboard',
      comment: 'but tests',
      severity: 'error',
      from: { path: '^(src|prisma)', pathNot: '^src/dashboard' },
      to: { path: '^src/dashboard' },
    },
    {
      name: 'parts-below-pages',
      comment: 'in the dashboard: data, then parts, then pages and the shell around them',
      severity: 'error',
      from: { path: '^src/dashboard/(data|parts)/' },
      to: { path: '^src/dashboard/(pages|shell)/' },
    },
    {
      name: 'pages-are-apart',
      comment: 'a page imports its own folder, parts and data; not other pages',
      severity: 'error',
      from: { path: '^src/dashboard/pages/([^/]+)/' },
      to: { path: '^src/dashboard/pages/[^/]+/', pathNot: '^src/dashboard/pages/$1/' },
    },
    { name: 'nothing-imports-test', severity: 'error', from: { path: '^(src|prisma)' }, to: { path: '^test' } },
    {
      name: 'operations-below-adapters',
      comment: 'operation files, shapes and statements import neither adapters nor views nor their tools',
      severity: 'error',
      from: { path: '^src/modules', pathNot: `${adapters}|${views}` },
      to: { path: `^src/modules/.*(${adapters}|${views})|${tools}` },
    },
    {
      name: 'no-adapters-of-other-modules',
      comment: 'an adapter imports its own module, kit, and operations and shapes of modules below; never the adapter of another module',
      severity: 'error',
      from: { path: `^src/modules/([^/]+)/.*${adapters}` },
      to: { path: `^src/modules/.*${adapters}`, pathNot: '^src/modules/$1/' },
    },
    {
      name: 'only-server-imports-adapters',
      comment: 'only server imports adapters',
      severity: 'error',
      from: { path: '^src/(kit|start|main)' },
      to: { path: `^src/modules/.*${adapters}` },
    },
    onlyIn('the-queue', 'pg-boss', '^src/kit/jobs\\.ts$'),
    onlyIn('the-database', 'pg', '^src/kit/(postgres/(db|pools)|notices)\\.ts$'),
    onlyIn('other-providers', 'arctic', '^src/modules/oauth/'),
    onlyIn('the-store', '@aws-sdk/client-s3', '^src/kit/storage\\.ts$'),
    onlyIn('ses', '@aws-sdk/client-sesv2', '^src/kit/ses/'),
    onlyIn('mail-that-comes-in', 'smtp-server', '^src/kit/smtp/receiver\\.ts$'),
    onlyIn('payment', 'stripe', '^src/modules/billing/stripe/'),
    onlyIn('caches', 'lru-cache', '^src/kit/recent\\.ts$'),
    onlyIn('liquid', 'liquidjs', '^src/kit/(liquid|template-problems|template-variables)\\.ts$'),
    onlyIn('mail', 'nodemailer', '^src/kit/smtp/connection\\.ts$'),
    onlyIn('the-entry-points', 'hono|graphql-yoga|ws', '^src/server/'),
    onlyIn('sockets', 'graphql-ws', '^src/(server/|dashboard/data/live\\.ts$)'),
    onlyIn(
      'the-schema',
      '@pothos/[^/]+',
      '^src/(kit/(builder|field-access|field-nullability|zod-input)|modules/.*/graphql|server/graphql/schema)\\.ts$',
    ),
    onlyIn('markup', 'htmlparser2|entities', '^src/modules/emails/message/'),
    onlyIn('networks', 'ipaddr\\.js', '^src/kit/networks\\.ts$'),
    onlyIn('csv', 'csv-parse', '^src/kit/csv/csv\\.ts$'),
    onlyIn('forms', 'busboy', '^src/kit/multipart\\.ts$'),
    onlyIn('pictures', 'sharp', '^src/modules/uploads/picture\\.ts$'),
    onlyIn('lists-of-domains', 'mailchecker|email-providers|@zootools/[^/]+', '^src/modules/verification/lists\\.ts$'),
    { name: 'not-resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^(bun|cloudflare)' } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(src/generated|test/help/graphql|src/dashboard/graphql)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
}
