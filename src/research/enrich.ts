import type { Deps } from '../deps/deps.ts'
import { defineJob } from '../jobs/define.ts'
import { rereadCompanyPages, syncRoster } from '../people/roster/sync.ts'
import { readIdentity } from '../resources/account-relations/identity-store.ts'
import { getAccount, getActiveAccount } from '../resources/accounts/store.ts'
import { isoDate } from '../shared/days.ts'
import { AppError } from '../shared/errors.ts'
import { readContext } from './context.ts'
import { type ResearchResult, redactAndIngest } from './ingest.ts'
import { findUniverseFirmographics } from './profile.ts'
import { researchCompany } from './research.ts'
import { totalFailureReason } from './source-reports.ts'

/** Enough for the pages about the company; scans read the others. */
const PROFILE_PAGES = 8
/** Short, because a caller waits for the response. */
const SOURCE_MS = 45_000

/**
 * Updates an active account's profile and roster from the sources and returns the account, with the failures. Values
 * that a member set do not change. Throws not_found, account_not_active, and unavailable when no source could be read
 * and the company is not in the imported universe.
 */
export async function enrich(
  deps: Deps,
  workspaceId: string,
  id: string,
  signal: AbortSignal = new AbortController().signal,
) {
  const account = await readIdentity(deps.db, workspaceId, await getActiveAccount(deps.db, workspaceId, id))
  const scope = {
    since: isoDate(deps.now()),
    maxPages: PROFILE_PAGES,
    only: 'profile' as const,
    sourceMs: SOURCE_MS,
    rejectedRecords: account.rejected_records,
  }
  const [research, problems] = await Promise.all([
    researchCompany(deps, account, scope, signal),
    // The roster determines the workforce; a company without a team page still has a profile.
    syncRoster(deps, workspaceId, id, signal).then(({ sources }) => failuresOf(sources), unavailableSources),
  ])
  const failure = totalFailureReason(research.sources)
  const universe = await findUniverseFirmographics(deps.db, workspaceId, account.domain)
  if (failure && !universe) throw new AppError('unavailable', `${failure} Nothing was changed.`)
  const { firmographics, structure } = research
  await updateProfile(deps, workspaceId, id, { firmographics, structure, ...(universe && { universe }) })
  const enriched = await getAccount(deps.db, workspaceId, id)
  // A site that cannot be read fails for both, with the same message.
  const all = [...failuresOf(research.sources), ...problems]
  const distinct = all.filter((one, at) => all.findIndex(({ message }) => message === one.message) === at)
  return { ...enriched, problems: distinct }
}

type Reported = { name: string; reason: string | null }

/** The sources that failed entirely or in part. */
function failuresOf(sources: readonly Reported[]): { source: string; message: string }[] {
  return sources.flatMap(({ name, reason }) => (reason === null ? [] : [{ source: name, message: reason }]))
}

/** When all sources of the roster failed, the error has details by source; a timeout has none. */
function unavailableSources(error: unknown): { source: string; message: string }[] {
  if (!(error instanceof AppError && error.code === 'unavailable')) throw error
  const { details = [], message } = error
  if (details.length === 0) return [{ source: 'roster', message }]
  return details.map(({ path, message }) => ({ source: path, message }))
}

/** Stores what the sources and the roster say about a company, and assesses the account again. */
export async function updateProfile(
  deps: Deps,
  workspaceId: string,
  id: string,
  found: Pick<ResearchResult, 'firmographics' | 'universe' | 'structure'>,
): Promise<void> {
  const context = await readContext(deps, workspaceId)
  const target = { workspace_id: workspaceId, account_id: id, run_id: null }
  await redactAndIngest(deps, context, target, found, 'nothing')
}

/** Updates the profile of an account where no scan does. */
export const enrichAccount = defineJob<{ workspace_id: string; account_id: string }>({
  name: 'enrich-account',
  retries: 2,
  retryDelay: 60,
  async run(deps, { workspace_id, account_id }, { signal }) {
    await enrich(deps, workspace_id, account_id, signal).catch((error) => {
      // Deleted or deactivated in the meantime.
      const isOver = error instanceof AppError && (error.code === 'not_found' || error.code === 'account_not_active')
      if (!isOver) throw error
    })
  },
})

type Payload = {
  workspace_id: string
  account_id: string
  /** Restricts the sources to the company's own pages. */
  own?: boolean
}

/**
 * Loads an account's roster: on activation, on enrichment, and when its team page has changed. Ignores accounts that
 * are deleted or no longer active.
 */
export const loadRoster = defineJob<Payload>({
  name: 'sync-roster',
  retries: 3,
  retryDelay: 60,
  async run(deps, { workspace_id, account_id, own = false }, { signal }) {
    try {
      await (own ? rereadCompanyPages : syncRoster)(deps, workspace_id, account_id, signal)
      // The workforce is computed from the stored people.
      await updateProfile(deps, workspace_id, account_id, { firmographics: [] })
    } catch (error) {
      const isOver = error instanceof AppError && (error.code === 'not_found' || error.code === 'account_not_active')
      if (!isOver) throw error
      deps.log.info({ account_id, reason: error.code }, 'roster skipped: the account is deleted or no longer active')
    }
  },
})
