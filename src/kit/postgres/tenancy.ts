import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts'
import { resumed } from '../thread-time.ts'

// Those that have a project, also the ones of which a row may have none, such as an email of the platform itself. What is looked up by a
// value that is unique in the installation, such as the hash of a key, is a statement that says so.
const tenants = new Set<string>(
  Object.values(Prisma.ModelName).filter((model) => {
    const fields = (Prisma as unknown as Record<string, Record<string, string>>)[`${model}ScalarFieldEnum`]
    return fields !== undefined && 'projectId' in fields
  }),
)

/** The generated Prisma client, which refuses every query of a tenant table without a projectId. */
export type TenantPrisma = ReturnType<typeof guardTenancy>

/** Wraps the Prisma client so that a query of a tenant table without a projectId throws before it runs. */
export function guardTenancy(prisma: PrismaClient) {
  return prisma.$extends({
    name: 'tenancy',
    query: {
      $allModels: {
        async $allOperations({ model, operation, args, query }) {
          if (tenants.has(model) && !carriesProject(args)) {
            throw new Error(`${model}.${operation} was called without a projectId`)
          }
          const result = await query(args)
          resumed()
          return result
        },
      },
    },
  })
}

function carriesProject(args: unknown): boolean {
  const { where, data } = (args ?? {}) as { where?: unknown; data?: unknown }
  if (where !== undefined) return names(where)
  if (Array.isArray(data)) return data.every(names)
  return names(data)
}

function names(place: unknown): boolean {
  if (typeof place !== 'object' || place === null) return false
  return Object.entries(place).some(([key, value]) => {
    // Of none: what belongs to the platform itself.
    if (key === 'projectId') return value === null || (typeof value === 'string' && value !== '')
    return key.startsWith('projectId_') && names(value)
  })
}
