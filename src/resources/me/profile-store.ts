import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { updateMemberRow } from '../members/store.ts'

/** How a member writes; messages are drafted in the name of the account's owner. */
export type MemberProfile = {
  member_id: string
  name: string
  job_title: string | null
  signature: string | null
  tone: 'brief' | 'warm' | 'formal'
  calendar_url: string | null
  sample_messages: string[]
  /** Learned from the member's edits of drafts, as the two below. */
  greeting: string | null
  sign_off: string | null
  body_words: number | null
  /** Whether it is known how the member signs. */
  is_complete: boolean
}

export type MemberProfileFields = Omit<MemberProfile, 'member_id' | 'is_complete'>

function selectProfiles(db: Db, workspaceId: string) {
  return db
    .selectFrom('members')
    .leftJoin('member_profiles', (join) =>
      join
        .onRef('member_profiles.workspace_id', '=', 'members.workspace_id')
        .onRef('member_profiles.member_id', '=', 'members.id'),
    )
    .select([
      'members.id as member_id',
      'members.name',
      'job_title',
      'signature',
      'calendar_url',
      'greeting',
      'sign_off',
      'body_words',
    ])
    .select(({ fn, val }) => [
      fn.coalesce('tone', val('brief' as const)).as('tone'),
      fn.coalesce('sample_messages', sql<string[]>`'[]'::jsonb`).as('sample_messages'),
    ])
    .select(sql<boolean>`signature is not null or job_title is not null`.as('is_complete'))
    .where('members.workspace_id', '=', workspaceId)
}

export async function listMemberProfiles(db: Db, workspaceId: string): Promise<MemberProfile[]> {
  return selectProfiles(db, workspaceId).orderBy('members.created_at').orderBy('members.id').execute()
}

export async function getMemberProfile(db: Db, workspaceId: string, memberId: string): Promise<MemberProfile> {
  return selectProfiles(db, workspaceId).where('members.id', '=', memberId).executeTakeFirstOrThrow()
}

/** Locks the member, so that concurrent changes of a profile follow one another. */
export async function lockMemberProfile(db: Db, workspaceId: string, memberId: string): Promise<MemberProfile> {
  await db
    .selectFrom('members')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', memberId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return getMemberProfile(db, workspaceId, memberId)
}

export async function saveMemberProfile(
  db: Db,
  workspaceId: string,
  memberId: string,
  { name, sample_messages, ...fields }: Partial<MemberProfileFields>,
): Promise<void> {
  if (name !== undefined) await updateMemberRow(db, workspaceId, memberId, { name })
  const stored = { ...fields, ...(sample_messages ? { sample_messages: JSON.stringify(sample_messages) } : {}) }
  await db
    .insertInto('member_profiles')
    .values({ workspace_id: workspaceId, member_id: memberId, ...stored })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'member_id'])
        .doUpdateSet((eb) => ({ ...stored, updated_at: eb.ref('excluded.updated_at') })),
    )
    .execute()
}
