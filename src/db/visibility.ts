import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../shared/member.ts'

/** A template tag that builds SQL from text and values. */
type Tag<T, V> = (text: TemplateStringsArray, ...values: V[]) => T

/** People assigned to the member, or at an account the member owns. Shared by Kysely and text queries. */
function rule<T, V>(tag: Tag<T, V>, workspaceId: V, owner: V): T {
  return tag`(people.owner_id = ${owner} or exists (select from accounts where accounts.workspace_id = ${workspaceId}
    and accounts.id = people.account_id and accounts.owner_id = ${owner}))`
}

/** The condition on `people` for those the viewer may see. */
export function visibleTo({ workspace_id, scoped_to }: Viewer) {
  return scoped_to === null ? sql<boolean>`true` : rule(sql<boolean>, workspace_id, scoped_to)
}

/** The condition on `people` for those the scoped member in a column may see. */
export function visibleToMember(workspaceId: string, member: RawBuilder<unknown>) {
  return rule<RawBuilder<boolean>, unknown>(sql<boolean>, workspaceId, member)
}

/** The same as `visibleTo` as text; `value` adds a parameter. Null when the viewer may see all people. */
export function visibleCondition(
  { workspace_id, scoped_to }: Viewer,
  value: (value: unknown) => string,
): string | null {
  return scoped_to === null ? null : rule(String.raw, value(workspace_id), value(scoped_to))
}
