import { sql } from 'kysely'
import type { Member } from '../api-keys/store.ts'

/** Who looks at people: a member of a workspace, or the service itself (`scoped_to: null`). */
export type Viewer = { workspace_id: string; scoped_to: string | null }

/** A member with scoped visibility sees the people at their accounts and those assigned to them; an admin sees all. */
export function viewerOf({ workspace_id, id, role, visibility }: Member): Viewer {
  return { workspace_id, scoped_to: visibility === 'scoped' && role !== 'admin' ? id : null }
}

/** The SQL condition on `people` that holds for whom the viewer may see; `value` writes a parameter. */
export function visibleCondition({ scoped_to }: Viewer, value: (value: unknown) => string): string | null {
  if (scoped_to === null) return null
  const owner = value(scoped_to)
  return `(people.owner_id = ${owner} or exists (select from accounts where accounts.workspace_id = people.workspace_id
    and accounts.id = people.account_id and accounts.owner_id = ${owner}))`
}

/** The same for Kysely's `where`. */
export function visibleTo({ scoped_to }: Viewer) {
  if (scoped_to === null) return sql<boolean>`true`
  return sql<boolean>`(people.owner_id = ${scoped_to} or exists (select from accounts
    where accounts.workspace_id = people.workspace_id and accounts.id = people.account_id and accounts.owner_id = ${scoped_to}))`
}
