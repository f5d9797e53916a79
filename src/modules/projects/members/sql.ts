import type { Role } from '../../../kit/context.ts'
import { statement } from '../../../kit/postgres/db.ts'

/** Locks a project, so that its members are changed by one transaction at a time and an owner always remains. */
export const lockProject = statement<{ name: string }>('projects_lock_project', 'select name from projects where id = $1 for update', {
  allProjects: 'the table of projects itself',
})

/** The members of a project, oldest first, at most 1,000. */
export const findMembers = statement<{ userId: string; email: string; role: Role; createdAt: Date }>(
  'projects_find_members',
  `select m.user_id as "userId", u.email, m.role::text as role, m.created_at as "createdAt"
   from memberships m join users u on u.id = m.user_id where m.project_id = $1 order by m.created_at, m.user_id limit 1000`,
)

/** Makes a user a member; returns no row if they already are. */
export const insertMember = statement<{ userId: string }>(
  'projects_insert_member',
  `insert into memberships (project_id, user_id, role, created_at) values ($1, $2, $3::role, $4)
   on conflict do nothing returning user_id as "userId"`,
)

/** Changes the role of a member. */
export const changeRole = statement<object>(
  'projects_change_role',
  'update memberships set role = $3::role where project_id = $1 and user_id = $2',
)

/** Ends a membership. */
export const deleteMember = statement<object>('projects_delete_member', 'delete from memberships where project_id = $1 and user_id = $2')

/** Inserts an invitation, replacing an expired one for the same address; returns no row if a valid one exists. */
export const insertInvitation = statement<{ id: string }>(
  'projects_insert_invitation',
  `insert into invitations as i (project_id, id, email, role, hash, invited_by, created_at, expires_at)
   values ($1, $2, $3, $4::role, $5, $6, $7, $8)
   on conflict (project_id, email) do update set id = excluded.id, role = excluded.role, hash = excluded.hash,
     invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at
   where i.expires_at <= excluded.created_at
   returning i.id`,
)

/** The valid invitations of a project, newest first; at most 100, the maximum per project. */
export const findInvitations = statement<{ id: string; email: string; role: Role; createdAt: Date; expiresAt: Date }>(
  'projects_find_invitations',
  `select id, email, role::text as role, created_at as "createdAt", expires_at as "expiresAt"
   from invitations where project_id = $1 and expires_at > $2 order by id desc limit 100`,
)

/** Deletes an invitation. */
export const deleteInvitation = statement<{ id: string }>(
  'projects_delete_invitation',
  'delete from invitations where project_id = $1 and id = $2 returning id',
)

/** Finds a valid invitation by the hash of its token. */
export const findInvitation = statement<{ projectName: string; email: string; role: Role; hasAccount: boolean }>(
  'projects_find_invitation',
  `select p.name as "projectName", i.email, i.role::text as role, exists (select from users u where u.email = i.email) as "hasAccount"
   from invitations i join projects p on p.id = i.project_id where i.hash = $1 and i.expires_at > $2`,
  { allProjects: 'the project is determined by the invitation' },
)

/** Turns the invitation with a token hash into a membership, once. */
export const useInvitation = statement<{ projectId: string }>(
  'projects_use_invitation',
  `with used as (delete from invitations where hash = $1 and expires_at > $3 returning project_id, role),
   made as (insert into memberships (project_id, user_id, role, created_at) select project_id, $2, role, $3 from used on conflict do nothing)
   select project_id as "projectId" from used`,
  { allProjects: 'the project is determined by the invitation' },
)

/** Turns every valid invitation of a verified address into a membership. */
export const useInvitationsOf = statement<object>(
  'projects_use_invitations_of',
  `with used as (delete from invitations where email = $1 and expires_at > $3 returning project_id, role)
   insert into memberships (project_id, user_id, role, created_at) select project_id, $2, role, $3 from used order by 1 on conflict do nothing`,
  { allProjects: 'a person may be invited to several projects' },
)
