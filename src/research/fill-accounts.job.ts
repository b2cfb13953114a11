import { defineJob } from '../jobs/define.ts'
import { listIncompleteAccounts } from '../resources/accounts/due-store.ts'
import { findCompaniesBySite } from '../resources/companies/by-site.ts'
import { listUniverses } from '../resources/companies/store.ts'
import { readContext } from './context.ts'
import { redactAndIngest } from './ingest.ts'
import { companyFirmographics, fillFromUniverse } from './profile.ts'

const BATCH = 500

/**
 * Fills the accounts of a workspace from its imported universe: after an import, which may contain companies that are
 * accounts already, and daily in all workspaces, because the command line imports without a worker.
 */
export const fillAccounts = defineJob<{ workspace_id?: string }>({
  name: 'fill-accounts',
  schedule: '40 3 * * *',
  concurrency: 1,
  timeout: 3_600,
  async run(deps, { workspace_id }, { signal, progressed }) {
    for (const workspaceId of workspace_id ? [workspace_id] : await listUniverses(deps.db)) {
      const context = await readContext(deps, workspaceId)
      let after: string | null = null
      do {
        const accounts = await listIncompleteAccounts(deps.db, workspaceId, after, BATCH)
        const domains = accounts.map(({ domain }) => domain)
        const companies = await findCompaniesBySite(deps.db, workspaceId, domains)
        for (const account of accounts) {
          signal.throwIfAborted()
          const universe = companyFirmographics(companies.get(account.domain))
          if (!universe || Object.keys(fillFromUniverse(account, {}, universe, deps.now())).length === 0) continue
          const target = { workspace_id: workspaceId, account_id: account.id, run_id: null }
          await redactAndIngest(deps, context, target, { firmographics: [], universe }, 'nothing')
        }
        await progressed()
        after = accounts.length < BATCH ? null : (accounts.at(-1)?.id ?? null)
      } while (after !== null)
    }
  },
})
