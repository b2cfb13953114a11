import { sql } from 'kysely'
import type { TechnologyFact } from './schema.ts'

const time = (column: string) => `to_char(used.${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * The technologies found on the account's pages and in its DNS records, including those that disappeared recently.
 * PostgreSQL writes the JSON, so the timestamps have its format.
 */
export const TECHNOLOGY_FACTS = sql
  .raw<TechnologyFact[]>(
    `coalesce((select json_agg(json_build_object('name', used.technology, 'category', used.category,
      'first_seen', ${time('first_seen')}, 'last_seen', ${time('last_seen')}, 'gone_at', ${time('gone_at')},
      'evidence', used.evidence, 'evidence_url', used.evidence_url)
      order by used.gone_at is not null, used.category, used.technology)
    from account_technologies used
    where used.workspace_id = accounts.workspace_id and used.account_id = accounts.id), '[]')`,
  )
  .as('technology_facts')
