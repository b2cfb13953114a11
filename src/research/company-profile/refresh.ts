import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import { getCompanyProfile, scheduleReading, startReading } from '../../resources/company-profile/store.ts'
import { setWorkspaceDomain } from '../../resources/workspaces/store.ts'
import { normalizeDomain } from '../../shared/domains.ts'
import { AppError } from '../../shared/errors.ts'
import { READ_TIMEOUT_SECONDS, readCompanyProfile } from './read.ts'

/** Sets the workspace's own domain; a worker reads its site within a minute. Throws invalid_request. */
export async function setOwnDomain(db: Db, workspaceId: string, text: string): Promise<string> {
  const domain = parseOwnDomain(text)
  await db.transaction().execute(async (db) => {
    await setWorkspaceDomain(db, workspaceId, domain)
    await scheduleReading(db, workspaceId, { domain, inSeconds: 0 })
  })
  return domain
}

/** Enqueues a read of the workspace's own site, on a new domain if one is given. Throws invalid_request. */
export async function refreshProfile(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  workspaceId: string,
  { domain: text }: { domain?: string },
) {
  const given = text === undefined ? null : parseOwnDomain(text)
  return db.transaction().execute(async (db) => {
    if (given) await setWorkspaceDomain(db, workspaceId, given)
    const domain = await scheduleReading(db, workspaceId, { domain: given, inSeconds: READ_TIMEOUT_SECONDS })
    if (!domain) throw refused('The domain of your company is not set. Pass it as domain.')
    await startReading(db, workspaceId)
    await jobs.enqueue(db, readCompanyProfile, { workspace_id: workspaceId })
    return getCompanyProfile(db, workspaceId)
  })
}

/** Throws invalid_request. */
export function parseOwnDomain(text: string): string {
  const domain = normalizeDomain(text)
  if (!domain) throw refused(`${text} is not a domain such as northwind.com.`)
  return domain
}

function refused(message: string): AppError {
  return new AppError('invalid_request', message, { details: [{ path: 'domain', message }] })
}
