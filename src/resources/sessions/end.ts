import type { Deps } from '../../deps/deps.ts'
import { notFound } from '../../shared/errors.ts'
import type { Member } from '../../shared/member.ts'
import { deleteSession } from './store.ts'

/**
 * Ends a session: one's own, and any for an admin; with a read-only key those that were opened with it. Answers its id. Throws
 * not_found, also for somebody else's.
 */
export async function endSession({ db, keys }: Pick<Deps, 'db' | 'keys'>, member: Member, which: string) {
  const id = which === 'current' ? member.session_id : which
  const theirs = member.role === 'admin' ? {} : { memberId: member.id }
  const allowed = member.read_only ? { memberId: member.id, keyId: member.key_id } : theirs
  if (!id || !(await deleteSession(db, member.workspace_id, { id, ...allowed }))) throw notFound('session')
  keys.forget()
  return id
}
