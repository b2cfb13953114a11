import type { Deps } from '../../deps/deps.ts'
import type { UpdateMyProfile } from '../../resources/me/profile-schema.ts'
import { getMemberProfile, lockMemberProfile, saveMemberProfile } from '../../resources/me/profile-store.ts'
import { changedFields } from '../../shared/changed-fields.ts'
import type { Member } from '../../shared/member.ts'
import { enqueueKnowledgeUpdate } from '../knowledge-base/apply.ts'

/** Changes how the caller writes; open drafts are written again in the background. */
export function updateMyProfile(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  { workspace_id, id }: Member,
  { sample_messages, ...wanted }: UpdateMyProfile,
) {
  const given = {
    ...trimmed(wanted),
    ...(sample_messages ? { sample_messages: sample_messages.map((text) => text.trim()) } : {}),
  }
  return db.transaction().execute(async (db) => {
    const fields = changedFields(await lockMemberProfile(db, workspace_id, id), given)
    if (Object.keys(fields).length > 0) {
      await saveMemberProfile(db, workspace_id, id, fields)
      await enqueueKnowledgeUpdate({ db, jobs }, workspace_id)
    }
    return getMemberProfile(db, workspace_id, id)
  })
}

/** An emptied form field is the same as null. */
function trimmed<T extends object>(fields: T): T {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() || null : value,
  ])
  return Object.fromEntries(entries) as T
}
