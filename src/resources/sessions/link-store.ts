import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'
import { findTokenWorkspace, insertTokenWorkspace } from '../../db/token-workspaces.ts'

type NewLink = { member_id: string; key_id: string | null; hash: Buffer; seconds: number; isEmailed: boolean }

/** Stores the hash of a link, and deletes links that expired more than a day ago. */
export async function insertSignInLink(db: Db, workspaceId: string, { seconds, isEmailed, ...link }: NewLink) {
  await db
    .deleteFrom('sign_in_links')
    .modifyEnd(sql.raw(ALL_WORKSPACES))
    .where('expires_at', '<', sql<string>`now() - interval '1 day'`)
    .execute()
  // As long as the state of a link that has expired can be read.
  await insertTokenWorkspace(db, workspaceId, link.hash, { days: 2 })
  return db
    .insertInto('sign_in_links')
    .values({
      workspace_id: workspaceId,
      ...link,
      expires_at: sql<string>`now() + make_interval(secs => ${seconds})`,
      emailed_at: isEmailed ? sql<string>`now()` : null,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
}

/** Less than a link is valid, so that a member whose mail was lost can request another one. */
const MINUTES_BETWEEN_MAILS = 10

/**
 * Whether a link may be sent by email to a member: none that is unused was sent in the last minutes. Locks the member, so
 * that concurrent requests send one; call it in the transaction that inserts the link.
 */
export async function mayEmailLink(db: Db, workspaceId: string, memberId: string): Promise<boolean> {
  await db
    .selectFrom('members')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', memberId)
    .forNoKeyUpdate()
    .execute()
  const recent = await db
    .selectFrom('sign_in_links')
    .select('emailed_at')
    .where('workspace_id', '=', workspaceId)
    .where('member_id', '=', memberId)
    .where('used_at', 'is', null)
    .where('emailed_at', '>', sql<string>`now() - make_interval(mins => ${sql.lit(MINUTES_BETWEEN_MAILS)})`)
    .executeTakeFirst()
  return recent === undefined
}

/** Lets a member request another mail at once, because the mail with their last link was not sent. */
export async function forgetMail(db: Db, workspaceId: string, memberId: string): Promise<void> {
  await db
    .updateTable('sign_in_links')
    .set({ emailed_at: null })
    .where('workspace_id', '=', workspaceId)
    .where('member_id', '=', memberId)
    .where('used_at', 'is', null)
    .execute()
}

/**
 * Consumes a link and returns its member; null if the link is unknown, used or expired, or its key is revoked or expired. A
 * concurrent call waits for the row lock and then finds the link used. The token determines the workspace.
 */
export async function consumeLink(db: Db, hash: Buffer) {
  const workspaceId = await findTokenWorkspace(db, hash)
  if (workspaceId === null) return null
  const taken = await db
    .updateTable('sign_in_links')
    .set({ used_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .where(
      sql<boolean>`(key_id is null or exists (select from api_keys as key
        where key.workspace_id = ${workspaceId} and key.id = sign_in_links.key_id
          and key.revoked_at is null and (key.expires_at is null or key.expires_at > now())))`,
    )
    .returning(['workspace_id', 'member_id', 'key_id'])
    .executeTakeFirst()
  return taken ?? null
}

/** Returns why a link could not be consumed; null if it is unknown. */
export async function findLinkState(db: Db, hash: Buffer) {
  const workspaceId = await findTokenWorkspace(db, hash)
  if (workspaceId === null) return null
  const found = await db
    .selectFrom('sign_in_links')
    .select([sql<boolean>`used_at is not null`.as('is_used'), sql<boolean>`expires_at <= now()`.as('is_over')])
    .where('workspace_id', '=', workspaceId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return found ?? null
}
