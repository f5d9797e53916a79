import { defineConfig } from 'prisma/config'

/** Where Prisma finds the datamodel; migrations are applied by prisma/migrate.ts. */
export default defineConfig({ schema: './schema' })
