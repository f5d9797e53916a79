import { statement } from '../../kit/postgres/db.ts'

/** Whether a user is a member of any project. */
export const findMembership = statement<object>('oauth_find_membership', 'select project_id from memberships where user_id = $1 limit 1', {
  allProjects: 'a person may be in several projects',
})
