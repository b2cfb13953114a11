import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import type { EmailSource } from '../db/schema.ts'
import { notFound } from '../shared/errors.ts'

/** Returns the fields of a person and their company that a lookup needs. Throws not_found. */
export async function getContactRecord(db: Db, workspaceId: string, id: string, recheckDays: number) {
  const recent = (column: 'email_checked_at' | 'phone_checked_at') =>
    sql<boolean>`coalesce(${sql.ref(`people.${column}`)} > now() - make_interval(days => ${recheckDays}), false)`
  const found = await db
    .selectFrom('people')
    .innerJoin('accounts', (join) =>
      join.onRef('accounts.workspace_id', '=', 'people.workspace_id').onRef('accounts.id', '=', 'people.account_id'),
    )
    .select(['people.id', 'people.account_id', 'people.full_name', 'people.network_url', 'people.left_on'])
    .select(['people.title', 'people.email', 'people.given_email', 'people.published_email', 'people.email_note'])
    .select(['people.email_checked_at', recent('email_checked_at').as('is_email_recent')])
    .select(['people.phone', 'people.found_phone', 'people.found_phone_source', 'people.phone_note'])
    .select(['people.found_phone_url', 'people.phone_url'])
    .select(['people.phone_checked_at', recent('phone_checked_at').as('is_phone_recent'), 'people.country_code'])
    .select(['accounts.name as company', 'accounts.domain', 'accounts.employees', 'accounts.country'])
    .where('people.workspace_id', '=', workspaceId)
    .where('people.id', '=', id)
    .executeTakeFirst()
  if (!found) throw notFound('person')
  return found
}

export type ContactRecord = Awaited<ReturnType<typeof getContactRecord>>

/** Returns the other people at an account with their addresses, people with a verified address first. */
export function findColleagues(db: Db, workspaceId: string, accountId: string, id: string, limit: number) {
  return db
    .selectFrom('people')
    .select(['full_name', 'network_url', 'email', 'published_email', 'given_email'])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('id', '<>', id)
    .orderBy(sql`email is null`)
    .orderBy('id')
    .limit(limit)
    .execute()
}

type EmailResult = { email: string | null; source: EmailSource | null; note: string | null }

/** Stores the result of an email lookup; an address that is already stored is not overwritten. Throws not_found. */
export async function saveEmail(db: Db, workspaceId: string, id: string, { email, source, note }: EmailResult) {
  const saved = await db
    .updateTable('people')
    .set({
      email: sql<string | null>`coalesce(email, ${email})`,
      email_source: sql<EmailSource | null>`case when email is null then ${source} else email_source end`,
      email_note: note,
      email_checked_at: sql<string>`now()`,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(['email', 'email_note'])
    .executeTakeFirst()
  if (!saved) throw notFound('person')
  return saved
}

type PhoneResult = {
  phone: string | null
  source: string | null
  /** The page that shows the number. */
  url: string | null
  note: string | null
  left_on: string | null
}

/** Stores the result of a phone lookup; a number that is already stored is not overwritten. Throws not_found. */
export async function savePhone(
  db: Db,
  workspaceId: string,
  id: string,
  { phone, source, url, note, left_on }: PhoneResult,
) {
  const saved = await db
    .updateTable('people')
    .set({
      phone: sql<string | null>`coalesce(phone, ${phone})`,
      phone_source: sql<string | null>`case when phone is null then ${source} else phone_source end`,
      phone_url: sql<string | null>`case when phone is null then ${url} else phone_url end`,
      phone_note: note,
      phone_checked_at: sql<string>`now()`,
      left_on: sql<string | null>`coalesce(left_on, ${left_on}::date)`,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(['phone', 'phone_url', 'phone_note'])
    .executeTakeFirst()
  if (!saved) throw notFound('person')
  return saved
}

type NewContact = {
  account_id: string
  identity: string
  published_email: string | null
  given_email: string | null
  found_phone: string | null
}

/**
 * Resets a lookup that found nothing when a source now provides an address or a number that the lookup did not have. Call
 * it before the people are stored.
 */
export async function reopenContactChecks(db: Db, workspaceId: string, people: readonly NewContact[]): Promise<void> {
  const news = people.filter((one) => one.published_email ?? one.given_email ?? one.found_phone)
  if (news.length === 0) return
  const rows = news.map(({ account_id, identity, published_email, given_email, found_phone }) => {
    return { account_id, identity, published_email, given_email, found_phone }
  })
  // Locks rows in the order in which people are stored, to avoid a deadlock between two saves.
  await sql`
    with news as (
      select people.id,
        people.email is null and (given.published_email <> coalesce(people.published_email, '')
          or given.given_email <> coalesce(people.given_email, '')) as has_email,
        people.phone is null and given.found_phone <> coalesce(people.found_phone, '') as has_phone
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (account_id uuid, identity text,
        published_email text, given_email text, found_phone text)
      join people on people.workspace_id = ${workspaceId} and people.account_id = given.account_id
        and people.identity = given.identity
      order by people.account_id::text || ' ' || people.identity collate "C"
      for update of people
    )
    update people set
      email_checked_at = case when news.has_email then null else people.email_checked_at end,
      phone_checked_at = case when news.has_phone then null else people.phone_checked_at end
    from news
    where people.workspace_id = ${workspaceId} and people.id = news.id
      and ((news.has_email and people.email_checked_at is not null) or (news.has_phone and people.phone_checked_at is not null))`.execute(
    db,
  )
}
