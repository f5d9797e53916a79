import { statement } from '../../kit/postgres/db.ts'

/** The owners and admins of a project, at most 100. */
export const findAdmins = statement<{ email: string; projectName: string }>(
  'notifications_find_admins',
  `select u.email, p.name as "projectName" from memberships m join users u on u.id = m.user_id join projects p on p.id = m.project_id
   where m.project_id = $1 and m.role in ('OWNER', 'ADMIN') order by u.id limit 100`,
)
