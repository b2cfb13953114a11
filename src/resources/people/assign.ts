import type { Deps } from '../../deps/deps.ts'
import type { Viewer } from '../../shared/member.ts'
import { requireMembers } from '../members/require.ts'
import { getPerson, setPersonOwner } from './store.ts'

/** Assigns a person to a member, or to nobody. Throws not_found, unknown_member. */
export async function assignPerson({ db }: Pick<Deps, 'db'>, viewer: Viewer, id: string, ownerId: string | null) {
  const person = await getPerson(db, viewer, id)
  if (ownerId === person.owner_id) return { id: person.id, owner_id: ownerId }
  await requireMembers(db, viewer.workspace_id, [ownerId])
  return setPersonOwner(db, viewer, id, ownerId)
}
