import { setTimeout as wait } from 'node:timers/promises'
import type { Deps } from '../../deps/deps.ts'
import { createLease, startLeaseRenewal } from '../../jobs/leased-work.ts'
import type { CrmProvider } from '../../providers/crm/registry.ts'
import { type Activity, CrmError, type LoggedActivity } from '../../providers/crm/vendor/types.ts'
import { notFound } from '../../shared/errors.ts'
import type { Viewer } from '../../shared/member.ts'
import {
  claimCrmActivity,
  findCrmActivity,
  findOwnerInCrm,
  releaseCrmActivity,
  renewCrmActivity,
  saveCrmActivity,
} from './activity-store.ts'
import { connectedCrms } from './channel.ts'
import { pushCrmBatch, storeConnectionProblem } from './push-batch.ts'
import { type CrmRecord, readCrmRecords } from './records.ts'
import { type OpenCrm, openCrm } from './session.ts'
import { findCrmLinks } from './store.ts'
import type { SyncOutcome } from './sync.ts'

type Parts = Pick<Deps, 'db' | 'outbound' | 'secrets' | 'config' | 'crmClients' | 'now' | 'log'>

/** Time for which an activity stays claimed when its process dies. */
const LEASE_SECONDS = 30
const POLL_MS = 150

export type HandOver = {
  /** One note and one task are written for a work item in each CRM. */
  work_item_id: string
  account_id: string
  /** The person to contact; null for the company alone. */
  person_id: string | null
  /** The subject of the task. */
  title: string
  /** The evidence and the draft, as plain text. */
  text: string
  /** `YYYY-MM-DD`. */
  due_on: string
}

/** The result in one CRM. Ids are of the records there. What was written before a failure stays and has its id. */
export type HandOverResult = {
  provider: CrmProvider
  /** The company, the note and the task are in the CRM. */
  ok: boolean
  company_id: string | null
  /** null also when the person was left out; `notice` says why. */
  contact_id: string | null
  note_id: string | null
  task_id: string | null
  /** false: the note and the task were there already. */
  created: boolean
  /** Why it failed, in a sentence; null when it succeeded. */
  error: string | null
  /** What was left out of a success, in a sentence. */
  notice: string | null
}

type Records = { company: CrmRecord; contact: CrmRecord | null }

/**
 * Hands an account over to the connected CRMs, or to the wanted one: the company, the person as a contact, a note with the
 * text and a task. A failure in one CRM is a result and does not affect the others. Throws not_found, crm_not_connected.
 */
export async function handOverToCrm(
  parts: Parts,
  viewer: Viewer,
  handOver: HandOver,
  wanted: CrmProvider | undefined,
  signal: AbortSignal,
): Promise<HandOverResult[]> {
  const records = await readRecords(parts, viewer, handOver)
  const providers = await connectedCrms(parts, viewer.workspace_id, wanted)
  const results = await Promise.allSettled(
    providers.map((provider) => handOverTo(parts, viewer.workspace_id, provider, records, handOver, signal)),
  )
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}

async function readRecords({ db }: Parts, viewer: Viewer, { account_id, person_id }: HandOver): Promise<Records> {
  const company = (await readCrmRecords(db, viewer, 'accounts', [account_id])).get(account_id)
  if (!company) throw notFound('account')
  if (person_id === null) return { company, contact: null }
  const contact = (await readCrmRecords(db, viewer, 'people', [person_id])).get(person_id)
  if (contact?.account_id !== account_id) throw notFound('person')
  return { company, contact }
}

async function handOverTo(
  parts: Parts,
  workspaceId: string,
  provider: CrmProvider,
  records: Records,
  { work_item_id, title, text, due_on }: HandOver,
  signal: AbortSignal,
): Promise<HandOverResult> {
  const none = { company_id: null, contact_id: null, note_id: null, task_id: null, created: false, notice: null }
  const result: HandOverResult = { provider, ok: false, error: null, ...none }
  const target = await openCrm(parts, workspaceId, provider, signal)
  if (!target) return { ...result, error: 'The CRM was disconnected.' }
  try {
    const pushed = await pushRecords(parts, workspaceId, target, records)
    Object.assign(result, pushed)
    if (pushed.company_id === null || pushed.error !== null) return result
    const { vendorAccount } = target
    const owner_id = await findOwnerInCrm(parts.db, { workspaceId, provider, vendorAccount }, records.company.id)
    const logged = await logOnce(
      parts,
      workspaceId,
      target,
      {
        ...{ key: work_item_id, company_id: pushed.company_id, contact_id: pushed.contact_id, owner_id },
        ...{ title, text, due_on, logged_at: parts.now().toISOString() },
      },
      signal,
    )
    return { ...result, ...logged, ok: true }
  } catch (error) {
    if (!(error instanceof CrmError)) throw error
    await storeConnectionProblem(parts, workspaceId, target, error)
    return { ...result, error: error.message }
  }
}

type PushedRecords = Pick<HandOverResult, 'company_id' | 'contact_id' | 'error' | 'notice'>

/** Pushes the contact with its company. A contact that the CRM cannot take is left out; the company is pushed alone. */
async function pushRecords(
  parts: Parts,
  workspaceId: string,
  target: OpenCrm,
  { company, contact }: Records,
): Promise<PushedRecords> {
  const none = { company_id: null, contact_id: null, error: null, notice: null }
  const atContact = contact && (await pushOne(parts, workspaceId, target, 'people', contact))
  if (atContact?.state === 'pushed') {
    const links = await findCrmLinks(parts.db, workspaceId, target, 'company', [company.id])
    const company_id = links.get(company.id)?.crm_id ?? null
    if (company_id !== null) return { ...none, company_id, contact_id: atContact.crm_id }
    return { ...none, contact_id: atContact.crm_id, error: GONE.message }
  }
  if (atContact?.state === 'failed' && atContact.retry) return { ...none, error: atContact.message }
  const atCompany = await pushOne(parts, workspaceId, target, 'accounts', company)
  if (atCompany.state !== 'pushed') return { ...none, error: atCompany.message }
  const notice = atContact && `The person was left out: ${atContact.message}`
  return { ...none, company_id: atCompany.crm_id, notice }
}

/** The record was deleted during the push. */
const GONE = { state: 'skipped', message: 'It is no longer there.' } as const

async function pushOne(
  parts: Parts,
  workspaceId: string,
  target: OpenCrm,
  recordType: 'accounts' | 'people',
  record: CrmRecord,
): Promise<SyncOutcome> {
  return (await pushCrmBatch(parts, workspaceId, target, recordType, [record])).get(record.id) ?? GONE
}

/**
 * Writes the activity unless it is written. Uses a row with a lease, so that of two concurrent calls one writes, and no
 * connection is held during requests. A result that a killed process lost is found by the vendor.
 */
async function logOnce(
  { db, log }: Parts,
  workspaceId: string,
  { provider, vendorAccount, crm }: OpenCrm,
  activity: Activity,
  signal: AbortSignal,
): Promise<LoggedActivity> {
  const key = { workspaceId, provider, vendorAccount, workItemId: activity.key }
  const lease = createLease(LEASE_SECONDS)
  for (;;) {
    const known = await findCrmActivity(db, key)
    if (known) return { ...known, created: false }
    if (await claimCrmActivity(db, key, lease)) break
    await wait(POLL_MS, undefined, { signal }).catch((cause: unknown) => {
      throw new CrmError('busy', 'Another hand-over of it is in progress. Try again in a minute.', { cause })
    })
  }
  using _ = startLeaseRenewal(lease, (lease) => renewCrmActivity(db, key, lease), log)
  try {
    const logged = await crm.logActivity(activity).catch((error: unknown) => {
      // A user may not be allowed to own tasks; the task is worth more than its owner.
      if (!(error instanceof CrmError && error.kind === 'refused' && activity.owner_id !== null)) throw error
      return crm.logActivity({ ...activity, owner_id: null })
    })
    await saveCrmActivity(db, key, logged)
    return logged
  } finally {
    await releaseCrmActivity(db, key, lease)
  }
}
