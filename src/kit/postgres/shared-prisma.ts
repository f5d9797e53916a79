import type { InShare } from '../share.ts'
import { type CallPatience, isChangeOfPrisma } from './patience.ts'
import type { TenantPrisma } from './tenancy.ts'

// Parallel ones are one statement of Prisma's.
const byKey = new Set<string>(['findUnique', 'findUniqueOrThrow'])

/** A Prisma client whose queries take the turns of an owner; those of single rows by their keys have turns of their own. */
export function sharedPrisma(
  prisma: TenantPrisma,
  shares: Record<'prisma' | 'keys', InShare>,
  owner: string,
  patience: CallPatience,
): TenantPrisma {
  return new Proxy(prisma, {
    get(client, model) {
      const delegate: unknown = Reflect.get(client, model)
      if (typeof model === 'symbol' || model.startsWith('$') || typeof delegate !== 'object' || delegate === null) return delegate
      return new Proxy(delegate, {
        get(queries, operation) {
          const query: unknown = Reflect.get(queries, operation)
          if (typeof query !== 'function' || typeof operation === 'symbol' || operation.startsWith('$')) return query
          const inShare = byKey.has(operation) ? shares.keys : shares.prisma
          return (...args: unknown[]) => {
            const work = async (): Promise<unknown> => {
              if (isChangeOfPrisma(operation)) patience.changes()
              return query.apply(queries, args)
            }
            return inShare(owner, work, patience.next())
          }
        },
      })
    },
  })
}
