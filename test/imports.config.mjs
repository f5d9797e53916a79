// Who may import whom (the map of the code in README.md). Run by `npm test`.
const adapters = '/(rest|graphql|jobs|pages)\\.ts$'
const tools = '^src/kit/(route|builder|field-access|zod-input)\\.ts$'

/** A package may be imported by these files only. */
const home = (name, packages, files) => ({
  name: `home-of-${name}`,
  comment: `${packages} is imported by its home only: ${files}`,
  severity: 'error',
  from: { path: '^src', pathNot: files },
  to: { path: `^node_modules/(${packages})/` },
})

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: { path: '^(src|prisma)', pathNot: '^(src/generated|prisma/config)' },
      to: { circular: true, viaOnly: { pathNot: '^src/generated' } },
    },
    {
      name: 'no-circles-between-modules',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/modules/[^/]+$' },
      to: { circular: true, viaOnly: { path: '^src/modules/[^/]+$' } },
    },
    {
      name: 'no-circles-between-stages',
      comment: 'stages of a module build on one another in one direction',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/modules/[^/]+/[^/]+$' },
      to: { circular: true, viaOnly: { path: '^src/modules/[^/]+/[^/]+$' } },
    },
    {
      name: 'kit-knows-nothing',
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
    { name: 'nothing-imports-test', severity: 'error', from: { path: '^(src|prisma)' }, to: { path: '^test' } },
    {
      name: 'operations-know-no-entrance',
      comment: 'operation files, shapes and statements import neither adapters nor their tools',
      severity: 'error',
      from: { path: '^src/modules', pathNot: adapters },
      to: { path: `^src/modules/.*${adapters}|${tools}` },
    },
    {
      name: 'adapters-import-no-adapter-of-others',
      comment: 'an adapter imports its own module, kit, and operations and shapes of modules below; never the adapter of another module',
      severity: 'error',
      from: { path: `^src/modules/([^/]+)/.*${adapters}` },
      to: { path: `^src/modules/.*${adapters}`, pathNot: '^src/modules/$1/' },
    },
    {
      name: 'server-opens-entrances',
      comment: 'only server imports adapters',
      severity: 'error',
      from: { path: '^src/(kit|start|main)' },
      to: { path: `^src/modules/.*${adapters}` },
    },
    home('the-queue', 'pg-boss', '^src/kit/jobs\\.ts$'),
    home('the-database', 'pg', '^src/kit/(postgres/db|notices)\\.ts$'),
    home('other-providers', 'arctic', '^src/modules/oauth/'),
    home('the-store', '@aws-sdk/[^/]+', '^src/kit/storage\\.ts$'),
    home('payment', 'stripe', '^src/modules/billing/stripe/'),
    home('caches', 'lru-cache', '^src/kit/cache\\.ts$'),
    home('liquid', 'liquidjs', '^src/kit/liquid\\.ts$'),
    home('mail', 'nodemailer', '^src/(kit/mailer|modules/emails/message/compose)\\.ts$'),
    home('the-entry-points', 'hono|graphql-yoga|ws|graphql-ws', '^src/server/'),
    home('the-schema', '@pothos/[^/]+', '^src/(kit/(builder|field-access|zod-input)|modules/.*/graphql|server/graphql/schema)\\.ts$'),
    home('markup', 'htmlparser2|entities', '^src/modules/emails/message/'),
    home('networks', 'ipaddr\\.js', '^src/kit/networks\\.ts$'),
    home('forms', '@fastify/busboy', '^src/kit/multipart\\.ts$'),
    home('pictures', 'sharp', '^src/modules/uploads/picture\\.ts$'),
    home('lists-of-domains', 'mailchecker|email-providers|@zootools/[^/]+', '^src/modules/verification/lists\\.ts$'),
    { name: 'not-resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^(bun|cloudflare)' } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(src/generated|test/help/graphql)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.json'],
    },
  },
}
