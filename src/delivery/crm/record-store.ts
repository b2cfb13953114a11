import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { FINDING_HEADLINE } from '../../db/finding-headline.ts'
import type { CrmFieldValue, StoredEvidence } from '../../db/schema.ts'
import { visibleTo } from '../../db/visibility.ts'
import type { Viewer } from '../../shared/member.ts'

const LATEST_SIGNALS = 5

type LatestSignal = {
  signal_id: string
  headline: string
  detected_at: string
  evidence: StoredEvidence[]
}
export type CompanyRow = {
  id: string
  name: string
  domain: string | null
  employees: number | null
  industry: string | null
  country: string | null
  network_url: string | null
  short_description: string | null
  score: number
  why_now_md: string | null
  from_crm: string[]
  crm_fields: Record<string, CrmFieldValue>
  signals: LatestSignal[]
}

/** Accounts with their latest shown signals. */
export async function findCompanyRows(db: Db, workspaceId: string, ids: string[]): Promise<CompanyRow[]> {
  const { rows } = await sql<CompanyRow>`
    select accounts.id, accounts.name, accounts.domain, accounts.employees, accounts.industry, accounts.country,
      accounts.network_url, accounts.short_description, accounts.score, accounts.why_now_md,
      accounts.from_crm, accounts.crm_fields, latest.signals
    from accounts cross join lateral (
      select coalesce(json_agg(found), '[]') as signals from (
        select d.signal_id, ${sql.raw(FINDING_HEADLINE)} as headline, d.detected_at, d.evidence
        from signal_detections as d
        join signals on signals.workspace_id = d.workspace_id and signals.id = d.signal_id
        where d.workspace_id = ${workspaceId} and d.account_id = accounts.id and d.is_shown
        order by d.detected_at desc, d.created_at desc, d.id desc limit ${LATEST_SIGNALS}) as found) as latest
    where accounts.workspace_id = ${workspaceId} and accounts.id = any(${ids}::uuid[])`.execute(db)
  return rows
}

export type ContactRow = {
  id: string
  account_id: string
  full_name: string
  email: string | null
  title: string | null
  phone: string | null
  country_code: string | null
  network_url: string | null
  job_level: string | null
  icp_tier: number | null
}

/** The people the viewer may see. */
export async function findContactRows(db: Db, viewer: Viewer, ids: string[]): Promise<ContactRow[]> {
  const { rows } = await sql<ContactRow>`
    select id, account_id, full_name, email, title, phone, country_code, network_url, job_level, icp_tier
    from people where workspace_id = ${viewer.workspace_id} and id = any(${ids}::uuid[]) and ${visibleTo(viewer)}`.execute(
    db,
  )
  return rows
}
