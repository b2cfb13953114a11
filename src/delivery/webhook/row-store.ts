import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { FINDING_HEADLINE } from '../../db/finding-headline.ts'
import type { PushRecordType } from '../../db/schema.ts'
import { visibleTo } from '../../db/visibility.ts'
import type { Viewer } from '../../shared/member.ts'
import type { WebhookAccountRow, WebhookPersonRow } from './schema.ts'

/** The flat rows of the records that exist and that the viewer may see. */
export async function readWebhookRows(
  db: Db,
  viewer: Viewer,
  recordType: PushRecordType,
  ids: string[],
): Promise<Map<string, WebhookAccountRow | WebhookPersonRow>> {
  const { rows } = recordType === 'accounts' ? await accountRows(db, viewer, ids) : await personRows(db, viewer, ids)
  return new Map(rows.map((row) => [row.id, row]))
}

const ACCOUNT = sql`
  accounts.name, accounts.domain, accounts.status, accounts.score, accounts.employees, accounts.industry, accounts.location,
  accounts.country, array_to_string(accounts.tags, ', ') as tags, accounts.owner_id, accounts.network_url,
  accounts.short_description, accounts.logo_url, accounts.created_at, accounts.last_signal_at, accounts.is_hot,
  accounts.qualified, accounts.relationship, accounts.why_now_md as why_now`

/** With the latest shown signal, if there is one. */
function accountRows(db: Db, { workspace_id }: Viewer, ids: string[]) {
  return sql<WebhookAccountRow>`
    select accounts.id, 'account' as record_type, ${ACCOUNT}, latest.signal_id, latest.headline as signal_headline,
      latest.detected_at as signal_detected_at, latest.evidence -> 0 ->> 'source_url' as signal_source_url
    from accounts left join lateral (
      select d.signal_id, ${sql.raw(FINDING_HEADLINE)} as headline, d.detected_at, d.evidence
      from signal_detections as d join signals on signals.workspace_id = d.workspace_id and signals.id = d.signal_id
      where d.workspace_id = ${workspace_id} and d.account_id = accounts.id and d.is_shown
      order by d.detected_at desc, d.created_at desc, d.id desc limit 1) as latest on true
    where accounts.workspace_id = ${workspace_id} and accounts.id = any(${ids}::uuid[])`.execute(db)
}

/** With the company of each person. */
function personRows(db: Db, viewer: Viewer, ids: string[]) {
  return sql<WebhookPersonRow>`
    select people.id, 'person' as record_type, people.account_id, people.full_name, people.title, people.headline,
      people.network_url, people.email, people.email_checked_at, people.phone, people.phone_checked_at, people.location,
      people.country_code, people.connections_count, people.profile_picture_url, people.job_level, people.source,
      people.icp_tier, people.ranking, people.owner_id, people.created_at, accounts.name as account_name,
      accounts.domain as account_domain, accounts.industry as account_industry, accounts.country as account_country,
      accounts.employees as account_employees, accounts.score as account_score
    from people join accounts on accounts.workspace_id = people.workspace_id and accounts.id = people.account_id
    where people.workspace_id = ${viewer.workspace_id} and people.id = any(${ids}::uuid[]) and ${visibleTo(viewer)}`.execute(
    db,
  )
}
