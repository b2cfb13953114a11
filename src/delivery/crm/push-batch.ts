import type { PushRecordType } from '../../db/schema.ts'
import type { Deps } from '../../deps/deps.ts'
import type { CrmClients } from '../../providers/crm/clients.ts'
import { CrmError } from '../../providers/crm/vendor/types.ts'
import { setConnectionProblem } from '../../resources/connections/store.ts'
import { withoutMissing } from './missing-targets.ts'
import { type CrmRecord, readCompanies, toSyncItem } from './records.ts'
import type { OpenCrm } from './session.ts'
import { findCrmLinks, saveCrmLinks } from './store.ts'
import { type SyncOutcome, syncRecords } from './sync.ts'

type Parts = Pick<Deps, 'db' | 'crmClients'>

/** Records that are read, matched and written together. A vendor with smaller calls needs several. */
export const CRM_BATCH_SIZE = 100
/** A quota is renewed within a day; a run waits for it this long. */
export const QUOTA_MAX_WAIT_SECONDS = 25 * 3_600

/**
 * Pushes up to 100 records to one CRM: companies first, then their contacts. Throws CrmError auth and quota, which are
 * stored as the problem of the connection.
 */
export async function pushCrmBatch(
  parts: Parts,
  workspaceId: string,
  target: OpenCrm,
  recordType: PushRecordType,
  records: CrmRecord[],
): Promise<Map<string, SyncOutcome>> {
  try {
    const outcomes = await withFields(parts.crmClients, target, () =>
      pushBatchOnce(parts, workspaceId, target, recordType, records),
    )
    if ([...outcomes.values()].some(isAnswered))
      await setConnectionProblem(parts.db, workspaceId, target.provider, null, { vendorAccount: target.vendorAccount })
    return outcomes
  } catch (error) {
    if (!(error instanceof CrmError)) throw error
    if (error.kind === 'auth' || error.kind === 'quota') {
      await storeConnectionProblem(parts, workspaceId, target, error)
      throw error
    }
    const { message, status, kind } = error
    return new Map(records.map(({ id }) => [id, { state: 'failed', status, message, retry: kind === 'busy' }]))
  }
}

/** Stores an error auth or quota as the problem of the connection; other errors do not concern the connection. */
export async function storeConnectionProblem(
  { db }: Pick<Parts, 'db'>,
  workspaceId: string,
  { provider, vendorAccount }: OpenCrm,
  { kind, message }: CrmError,
): Promise<void> {
  if (kind !== 'auth' && kind !== 'quota') return
  const ends = kind === 'quota' ? { seconds: QUOTA_MAX_WAIT_SECONDS } : {}
  await setConnectionProblem(db, workspaceId, provider, message, { vendorAccount, ...ends })
}

/** The CRM accepted or refused the record, so the connection works. */
function isAnswered(outcome: SyncOutcome): boolean {
  return outcome.state === 'pushed' || (outcome.state === 'failed' && !outcome.retry && outcome.status !== null)
}

async function pushBatchOnce(
  { db }: Parts,
  workspaceId: string,
  { provider, vendorAccount, crm }: OpenCrm,
  recordType: PushRecordType,
  records: CrmRecord[],
): Promise<Map<string, SyncOutcome>> {
  const where = { provider, vendorAccount }
  const companies =
    recordType === 'accounts'
      ? records
      : await readCompanies(db, workspaceId, [...new Set(records.map(({ account_id }) => account_id))])
  const atCompanies = await syncRecords(
    crm,
    'company',
    companies.map((company) => toSyncItem(company, provider, null)),
    await findCrmLinks(
      db,
      workspaceId,
      where,
      'company',
      companies.map(({ id }) => id),
    ),
    (rows) => saveCrmLinks(db, workspaceId, where, 'company', rows),
  )
  if (recordType === 'accounts') return atCompanies

  const outcomes = new Map<string, SyncOutcome>()
  const contacts = records.flatMap((record) => {
    const { id, account_id } = record
    const company = atCompanies.get(account_id)
    if (company?.state === 'pushed') return [toSyncItem(record, provider, company.crm_id)]
    // The account was deleted during the push, and the person with it.
    if (!company || company.state === 'skipped')
      outcomes.set(id, { state: 'skipped', message: 'It is no longer there.' })
    else outcomes.set(id, { ...company, message: `Its company could not be written. ${company.message}` })
    return []
  })
  const atContacts = await syncRecords(
    crm,
    'contact',
    contacts,
    await findCrmLinks(
      db,
      workspaceId,
      where,
      'contact',
      contacts.map(({ id }) => id),
    ),
    (rows) => saveCrmLinks(db, workspaceId, where, 'contact', rows),
  )
  return new Map([...outcomes, ...atContacts])
}

/**
 * Creates the fields of the service before the first push, and again when the CRM reports one as missing. A mapped field
 * that is missing cannot be created: the push continues without it, and the mapping names it.
 */
async function withFields<T>(clients: CrmClients, target: OpenCrm, work: () => Promise<T>): Promise<T> {
  const { provider, vendorAccount, crm } = target
  const name = `${provider} ${vendorAccount}`
  await clients.prepareOnce(name, crm.prepare)
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof CrmError) || error.kind !== 'schema') throw error
    clients.forgetPrepared(name)
    await clients.prepareOnce(name, crm.prepare)
    // The following batches of the run begin without them too.
    target.crm = (await withoutMissing(target)).target.crm
    return work()
  }
}
