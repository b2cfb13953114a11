import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import { getCompanyProfile, planReading, startReading } from '../../resources/company-profile/store.ts'
import { setWorkspaceDomain } from '../../resources/workspaces/store.ts'
import { normalizeDomain } from '../../shared/domains.ts'
import { AppError } from '../../shared/errors.ts'
import { HOLD_SECONDS, readCompanyProfile } from './read.job.ts'

/** Sets the workspace's own domain; its site is read by the next worker that looks, within a minute. Throws invalid_request. */
export async function changeDomain(db: Db, workspaceId: string, text: string): Promise<string> {
  const domain = checkDomain(text)
  await db.transaction().execute(async (db) => {
    await setWorkspaceDomain(db, workspaceId, domain)
    await planReading(db, workspaceId, { domain, inSeconds: 0 })
  })
  return domain
}

/** Has the workspace's own site read now, on a new domain if one is given. Throws invalid_request. */
export async function refreshProfile(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  workspaceId: string,
  { domain: text }: { domain?: string },
) {
  const given = text === undefined ? null : checkDomain(text)
  return db.transaction().execute(async (db) => {
    if (given) await setWorkspaceDomain(db, workspaceId, given)
    const domain = await planReading(db, workspaceId, { domain: given, inSeconds: HOLD_SECONDS })
    if (!domain) throw refused('The domain of your company is not known yet. Give it as domain.')
    await startReading(db, workspaceId)
    await jobs.enqueue(db, readCompanyProfile, { workspace_id: workspaceId })
    return getCompanyProfile(db, workspaceId)
  })
}

/** Throws invalid_request. */
export function checkDomain(text: string): string {
  const domain = normalizeDomain(text)
  if (!domain) throw refused(`${text} is not a domain such as northwind.com.`)
  return domain
}

function refused(message: string): AppError {
  return new AppError('invalid_request', message, { details: [{ path: 'domain', message }] })
}
