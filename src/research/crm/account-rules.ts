import type { Db } from '../../db/connect.ts'
import { addAccounts } from '../../resources/accounts/create.ts'
import { type ClaimedSync, findSync } from '../../resources/crm-sync/store.ts'
import { assessNewAccounts } from '../assess.ts'
import type { ResearchContext } from '../context.ts'
import { applyToAccounts } from './apply-page.ts'
import { linkCompanies } from './match-store.ts'
import { assignByRule, findByRules } from './rule-store.ts'

/**
 * Adds companies that meet one of the rules of the sync as accounts of the team's own list, as an import does: they are scored
 * for fit and wait to be activated. Returns how many were added; call it again until none is.
 */
export async function addAccountsByRules(
  db: Db,
  sync: ClaimedSync,
  context: ResearchContext,
  limit: number,
): Promise<number> {
  const { workspace_id } = sync
  const rules = (await findSync(db, sync))?.account_rules ?? []
  const companies = await findByRules(db, sync, rules, limit)
  if (companies.length === 0) return 0
  const stored = await addAccounts(
    db,
    workspace_id,
    'crm',
    companies.map(({ name, domain, fields }) => ({ name, domain, ...fields })),
  )
  await assessNewAccounts(
    db,
    workspace_id,
    stored.filter(({ created }) => created),
    context,
  )
  const ids = stored.map(({ id }) => id)
  await assignByRule(
    db,
    sync,
    companies.map(({ domain }, at) => ({ domain, account_id: ids[at] as string })),
  )
  await linkCompanies(db, sync, sync.portal, ids)
  await applyToAccounts(db, workspace_id, ids)
  return companies.length
}
