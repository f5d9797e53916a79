import type { Role } from '../../../kit/context.ts'
import { statement } from '../../../kit/postgres/db.ts'

/** Locks a project, so that its members are changed by one transaction at a time and an owner always remains. */
export const lockProject = statement<{ name: string }>('projects_lock_project', 'select name from projects where id = $1 for update', {
  allProjects: 'the table of projects itself',
})

/** The members of each of some projects, oldest first, at most 1,000 per project. */
export const findMembers = statement<{ projectId: string; userId: string; email: string; role: Role; createdAt: Date }>(
  'projects_find_members',
  `select v.* from unnest($1::text[]) as p(project_id) cross join lateral (
     select m.project_id as "projectId", m.user_id as "userId", u.email, m.role::text as role, m.created_at as "createdAt"
     from memberships m join users u on u.id = m.user_id where m.project_id = p.project_id
     order by m.created_at, m.user_id limit 1000) v
   order by v."projectId", v."createdAt", v."userId"`,
)

/** The role of a member. Locked, so that a removal or demotion that has begun is waited for, and one that begins now waits. */
export const lockMembership = statement<{ role: Role }>(
  'projects_lock_membership',
  'select role::text as role from memberships where project_id = $1 and user_id = $2 for share',
)

/** The session of a user, locked against its end. A statement of its own: after waiting for a lock, one sees the rest as it was before. */
export const lockSession = statement<{ id: string }>(
  'projects_lock_session',
  'select id from sessions where id = $1 and user_id = $2 for key share',
  { allProjects: 'sessions belong to people, who may be in several projects' },
)

/** The keys of a project, locked against being replaced; always in this order, so that two calls never deadlock. */
export const lockKeys = statement<{ hash: string }>(
  'projects_lock_keys',
  'select hash from project_keys where project_id = $1 order by kind for update',
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

/** A user who is a member, by address. */
export const findMemberByEmail = statement<{ userId: string }>(
  'projects_find_member_by_email',
  'select m.user_id as "userId" from memberships m join users u on u.id = m.user_id where m.project_id = $1 and u.email = $2',
)

/** Inserts an invitation, or renews the one of the same address, which keeps its id. */
export const insertInvitation = statement<{ id: string }>(
  'projects_insert_invitation',
  `insert into invitations as i (project_id, id, email, role, hash, invited_by, created_at, expires_at, is_mailed)
   values ($1, $2, $3, $4::role, $5, $6, $7, $8, $9)
   on conflict (project_id, email) do update set role = excluded.role, hash = excluded.hash,
     invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at,
     is_mailed = excluded.is_mailed
   returning i.id`,
)

/** The valid invitations of each of some projects, newest first; at most 100, the maximum per project. */
export const findInvitations = statement<{ projectId: string; id: string; email: string; role: Role; createdAt: Date; expiresAt: Date }>(
  'projects_find_invitations',
  `select v.* from unnest($1::text[]) as p(project_id) cross join lateral (
     select i.project_id as "projectId", i.id, i.email, i.role::text as role, i.created_at as "createdAt", i.expires_at as "expiresAt"
     from invitations i where i.project_id = p.project_id and i.expires_at > $2 order by i.created_at desc, i.id desc limit 100) v
   order by v."projectId", v."createdAt" desc, v.id desc`,
)

/** Deletes an invitation. */
export const deleteInvitation = statement<{ id: string; role: Role }>(
  'projects_delete_invitation',
  'delete from invitations where project_id = $1 and id = $2 returning id, role::text as role',
)

/** Deletes the invitations that a member ($2 address) has made; returns one row for each. */
export const deleteInvitationsBy = statement<{ id: string }>(
  'projects_delete_invitations_by',
  'delete from invitations where project_id = $1 and invited_by = $2 returning id',
)

/** Deletes all invitations to a project; one row per invitation. */
export const deleteAllInvitations = statement<{ id: string }>(
  'projects_delete_all_invitations',
  'delete from invitations where project_id = $1 returning id',
)

/** How many members a project has beside one ($2). */
export const countOthers = statement<{ count: number }>(
  'projects_count_others',
  'select count(*)::int as count from memberships where project_id = $1 and user_id <> $2',
)

/** The projects that a user is a member of. */
export const findProjectsOf = statement<{ projectId: string }>(
  'projects_find_projects_of',
  'select project_id as "projectId" from memberships where user_id = $1 order by project_id',
  { allProjects: 'a person may be in several projects' },
)

/** An invitation that is about to be accepted. */
export interface InvitationRow {
  projectId: string
  id: string
  hash: string
  role: Role
}

/** Finds a valid invitation by the hash of its token. */
export const findInvitation = statement<InvitationRow & { projectName: string; email: string; isMailed: boolean; hasAccount: boolean }>(
  'projects_find_invitation',
  `select i.project_id as "projectId", i.id, i.hash, p.name as "projectName", i.email, i.role::text as role, i.is_mailed as "isMailed",
     exists (select from users u where u.email = i.email) as "hasAccount"
   from invitations i join projects p on p.id = i.project_id where i.hash = $1 and i.expires_at > $2`,
  { allProjects: 'the project is determined by the invitation' },
)

const ofPeople = { allProjects: 'a person may be invited to several projects' }

/** The valid invitations of an address, newest first, at most 100. */
export const findReceivedInvitations = statement<{
  id: string
  projectId: string
  projectName: string
  role: Role
  invitedAt: Date
  expiresAt: Date
}>(
  'projects_find_received_invitations',
  `select i.id, i.project_id as "projectId", p.name as "projectName", i.role::text as role, i.created_at as "invitedAt", i.expires_at as "expiresAt"
   from invitations i join projects p on p.id = i.project_id
   where i.email = $1 and i.expires_at > $2 order by i.created_at desc, i.id desc limit 100`,
  ofPeople,
)

/** Finds a valid invitation of an address by its id. */
export const findReceivedInvitation = statement<InvitationRow>(
  'projects_find_received_invitation',
  `select project_id as "projectId", id, hash, role::text as role from invitations where id = $1 and email = $2 and expires_at > $3`,
  ofPeople,
)

/** Turns an invitation, if it still has the hash that was found, into a membership, once. */
export const useInvitation = statement<{ projectId: string }>(
  'projects_use_invitation',
  `with used as (delete from invitations where project_id = $1 and id = $2 and hash = $3 and expires_at > $5 returning project_id, role),
   made as (insert into memberships (project_id, user_id, role, created_at) select project_id, $4, role, $5 from used on conflict do nothing)
   select project_id as "projectId" from used`,
)
