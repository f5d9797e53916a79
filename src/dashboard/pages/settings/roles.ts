import type { Role } from '../../graphql/graphql.ts'

/** The roles of members. */
export const roles: { value: Role; label: string }[] = [
  { value: 'MEMBER', label: 'Member' },
  { value: 'ADMIN', label: 'Admin' },
  { value: 'OWNER', label: 'Owner' },
]
