/** The person who owns a project (`project`, a column), as an expression: what several projects of one person do counts as theirs. */
export const ownerOf = (project: string): string =>
  `(select m.user_id from memberships m where m.project_id = ${project} and m.role = 'OWNER' order by m.created_at limit 1)`

/** Whose turn a project (`project`, a column) takes, as an expression: the person who owns it, or the project itself where nobody does. */
export const turnsOwnerOf = (project: string): string => `coalesce(${ownerOf(project)}, ${project})`
