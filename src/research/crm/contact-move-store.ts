import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { SyncKey } from '../../resources/crm-sync/store.ts'
import { ofCrm } from './record-store.ts'

type Job = { employer: string; domain: string | null; account_id: string; title: string | null }
type ContactMove = { person_id: string; account_id: string; new_person_id: string; from: Job; to: Job }

/**
 * The contacts of these people that are people at other accounts. A record with another name and another email may have been
 * reused for another person; one that is back at its former company was corrected.
 */
export async function findContactMoves(db: Db, key: SyncKey, people: string[]): Promise<ContactMove[]> {
  const job = (account: string, title: string) => sql`json_build_object('employer', ${sql.ref(`${account}.name`)},
    'domain', ${sql.ref(`${account}.domain`)}, 'account_id', ${sql.ref(`${account}.id`)}, 'title', ${sql.ref(title)})`
  const { rows } = await sql<ContactMove>`
    select distinct on (former.id) former.id as person_id, present.id as new_person_id, former.account_id,
      ${job('left_account', 'former.title')} as "from", ${job('joined', 'contact.title')} as "to"
    from people as former
      join pulled_contacts as contact on ${ofCrm(key, 'contact')} and contact.former_person_id = former.id
        and contact.deleted_at is null
      join people as present on present.workspace_id = contact.workspace_id and present.id = contact.person_id
      join accounts as left_account on left_account.workspace_id = former.workspace_id and left_account.id = former.account_id
      join accounts as joined on joined.workspace_id = present.workspace_id and joined.id = present.account_id
    where former.workspace_id = ${key.workspace_id} and former.id = any(${people}::uuid[]) and joined.id <> left_account.id
      and (search_fold(contact.full_name) = search_fold(former.full_name)
        or lower(contact.email) in (lower(former.email), lower(former.given_email), lower(former.published_email)))
      and not exists (select from person_moves as earlier where earlier.workspace_id = ${key.workspace_id}
        and earlier.person_id = present.id and earlier.to_account_id = left_account.id)
    order by former.id, contact.modified_at desc`.execute(db)
  return rows
}
