import { sql } from 'kysely'
import type { Viewer } from '../shared/member.ts'

/** A template tag: it makes SQL of the text and the values between. */
type Tag<T> = (text: TemplateStringsArray, ...values: string[]) => T

/** The rule: whose people they are at, and to whom they are assigned. Written once, whatever the SQL is written with. */
function rule<T>(tag: Tag<T>, owner: string): T {
  return tag`(people.owner_id = ${owner} or exists (select from accounts where accounts.workspace_id = people.workspace_id
    and accounts.id = people.account_id and accounts.owner_id = ${owner}))`
}

/** The condition on `people` that holds for whom the viewer may see. */
export function visibleTo({ scoped_to }: Viewer) {
  return scoped_to === null ? sql<boolean>`true` : rule(sql<boolean>, scoped_to)
}

/** The same as text; `value` writes a parameter. Null when the viewer may see everybody. */
export function visibleCondition({ scoped_to }: Viewer, value: (value: unknown) => string): string | null {
  return scoped_to === null ? null : rule(String.raw, value(scoped_to))
}
