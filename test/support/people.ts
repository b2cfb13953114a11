import type { Deps } from '../../src/deps.ts'
import { type PersonToSave, savePeople } from '../../src/people/save.ts'

/** Stores people as a source would. */
export function savePeopleAs(
  deps: Deps,
  workspaceId: string,
  source: 'employee' | 'waterfall',
  people: PersonToSave[],
) {
  return deps.db.transaction().execute((db) => savePeople({ db, secrets: deps.secrets }, workspaceId, source, people))
}
