import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import { learnStyle } from '../../engine/draft/style.ts'
import { notFound } from '../../shared/errors.ts'
import { type Member, viewerOf } from '../../shared/member.ts'
import { lockForAssessment } from '../accounts/assessment-store.ts'
import type { EditDraft } from '../detections/schema.ts'
import { clearEditedDraft, listDetections, writeEditedDraft } from '../detections/store.ts'
import { lockMemberProfile, saveMemberProfile } from '../me/profile-store.ts'
import { readDraftContext } from './context.ts'
import { queueRewriting, redraftAccount } from './redraft.ts'

type Parts = Pick<Deps, 'db' | 'jobs' | 'config'>

/**
 * Stores a member's version of a draft, which is not redrafted any more, and learns their greeting, sign-off and length from
 * it. Throws not_found; also for a draft to a person whom the member may not see.
 */
export function editDraft({ db }: Parts, member: Member, accountId: string, id: string, edited: EditDraft) {
  return db.transaction().execute(async (db) => {
    // The member first, as their removal does, which then changes their accounts.
    await lockMemberProfile(db, member.workspace_id, member.id)
    await lockForAssessment(db, member.workspace_id, accountId)
    const { draft } = await findDraft(db, member, accountId, id)
    const { subject, body, short_message = draft.short_message, call_opener = draft.call_opener } = edited
    await writeEditedDraft(db, member.workspace_id, id, {
      subject: subject.trim(),
      body: body.trim(),
      short_message: short_message ?? '',
      call_opener: call_opener ?? '',
    })
    if (body.trim() !== draft.body) await learnFrom(db, member, body, draft.full_name)
    return findDraft(db, member, accountId, id)
  })
}

/** Replaces a member's version by a composed draft. Throws not_found. */
export function resetDraft(parts: Parts, member: Member, accountId: string, id: string) {
  const { workspace_id } = member
  return parts.db.transaction().execute(async (db) => {
    const account = await lockForAssessment(db, workspace_id, accountId)
    await findDraft(db, member, accountId, id)
    await clearEditedDraft(db, workspace_id, id)
    const { context } = await readDraftContext(db, workspace_id)
    if (account)
      await queueRewriting({ ...parts, db }, workspace_id, await redraftAccount(db, workspace_id, account, context))
    return findDraft(db, member, accountId, id)
  })
}

async function findDraft(db: Db, member: Member, accountId: string, id: string) {
  const detections = await listDetections(db, viewerOf(member), accountId, { present: true, id })
  const found = detections[0]
  if (!found?.draft) throw notFound('draft')
  return { ...found, draft: found.draft }
}

/** The weight of the latest edit in the usual length, so that one long message does not change it at once. */
const LATEST_SHARE = 0.5

async function learnFrom(db: Db, { workspace_id, id }: Member, body: string, reader: string | null): Promise<void> {
  const { greeting, sign_off, body_words } = learnStyle(body, reader ? { full_name: reader } : null)
  const before = (await lockMemberProfile(db, workspace_id, id)).body_words ?? body_words
  await saveMemberProfile(db, workspace_id, id, {
    ...(greeting ? { greeting } : {}),
    ...(sign_off ? { sign_off } : {}),
    body_words: Math.round(before + (body_words - before) * LATEST_SHARE),
  })
}
