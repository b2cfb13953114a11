import { createHash } from 'node:crypto'
import {
  type Crm,
  CrmError,
  type CrmObject,
  type ExistingRecord,
  type FieldName,
  type FieldValues,
  type LookupBy,
  OWNED_FIELDS,
  type RecordChange,
  type RowProblem,
  SHARED_FIELDS,
} from '../../providers/crm/vendor/types.ts'
import type { CrmLink } from './store.ts'

/** What became of a record at one CRM. `retry`: another attempt may go through. */
export type SyncOutcome =
  | { state: 'pushed'; crm_id: string; created: boolean }
  | { state: 'failed'; status: number | null; message: string; retry: boolean }
  | { state: 'skipped'; message: string }

export type SyncItem = { id: string; values: FieldValues; company_id: string | null }

type Work = SyncItem & {
  remembered: CrmLink | undefined
  /** What the CRM would not have. */
  dropped: Set<FieldName | 'key'>
  /** How often it was refused. */
  refusals: number
}

/** What a record is looked for by, in this order. The key finds what was written by a worker that was killed. */
const LOOKUP_ORDER: Record<CrmObject, Exclude<LookupBy, 'id'>[]> = {
  company: ['key', 'domain'],
  contact: ['email', 'profile_url', 'key'],
}

/** What a new record must have one of: without it, it could not be found again. */
const REQUIRED: Record<CrmObject, FieldName[]> = { company: [], contact: ['email', 'profile_url'] }

/** Why a person is skipped that nothing would find again. */
export const WITHOUT_IDENTITY = 'It has neither an email nor a profile page to be known by.'

/** A record that collides, was deleted meanwhile or has a field the CRM refuses is tried so often. */
const ATTEMPTS = 4

/**
 * Brings records into a CRM: each is matched with what is there, and created where nothing is. Calls `remember` with where
 * each went before anything else happens. Throws CrmError auth, quota and schema; what else goes wrong is an outcome.
 */
export async function syncRecords(
  crm: Crm,
  object: CrmObject,
  items: SyncItem[],
  known: Map<string, CrmLink>,
  remember: (rows: CrmLink[]) => Promise<void>,
): Promise<Map<string, SyncOutcome>> {
  const outcomes = new Map<string, SyncOutcome>()
  let work: Work[] = items.map((item) => ({ ...item, remembered: known.get(item.id), dropped: new Set(), refusals: 0 }))
  // Ends: each round settles the first of those that are one record there, or counts a refusal of it.
  while (work.length > 0) {
    try {
      work = await syncRound(crm, object, work, outcomes, remember)
    } catch (error) {
      if (!(error instanceof CrmError) || (error.kind !== 'busy' && error.kind !== 'refused')) throw error
      const { status, message, kind } = error
      for (const { id } of work)
        if (!outcomes.has(id)) outcomes.set(id, { state: 'failed', status, message, retry: kind === 'busy' })
      return outcomes
    }
  }
  return outcomes
}

/** Answers what needs another round. */
async function syncRound(
  crm: Crm,
  object: CrmObject,
  work: Work[],
  outcomes: Map<string, SyncOutcome>,
  remember: (rows: CrmLink[]) => Promise<void>,
): Promise<Work[]> {
  const matches = await match(crm, object, work)
  const again: Work[] = []
  const changes = new Map<string, { item: Work; change: RecordChange }>()
  const done: CrmLink[] = []
  const targets = new Set<string>()
  for (const item of work) {
    const existing = matches.get(item.id)
    if (!existing && REQUIRED[object].length > 0 && !REQUIRED[object].some((field) => item.values[field])) {
      outcomes.set(item.id, { state: 'skipped', message: WITHOUT_IDENTITY })
      continue
    }
    const change = changeOf(crm, object, item, existing)
    if (!change) {
      // Nothing to say that the CRM does not know.
      const { id: crm_id } = existing as ExistingRecord
      outcomes.set(item.id, { state: 'pushed', crm_id, created: false })
      done.push({
        id: item.id,
        crm_id,
        written: hashesOfEqualFields(object, item, existing),
        company_id: item.company_id,
      })
      continue
    }
    // Two of ours that match one record there, or would create the same one, are written in separate rounds.
    const names = existing ? [existing.id] : identities(object, item)
    if (names.some((name) => targets.has(name))) {
      again.push(item)
      continue
    }
    for (const name of names) targets.add(name)
    changes.set(item.id, { item, change })
  }
  const written =
    changes.size > 0
      ? await crm.write(
          object,
          [...changes.values()].map(({ change }) => change),
        )
      : []
  for (const result of written) {
    const { item, change } = changes.get(result.key) as { item: Work; change: RecordChange }
    if (result.ok) {
      outcomes.set(item.id, { state: 'pushed', crm_id: result.id, created: result.created })
      done.push({
        id: item.id,
        crm_id: result.id,
        written: { ...hashesOfEqualFields(object, item, matches.get(item.id)), ...hashes(object, change.values) },
        company_id: item.company_id,
      })
      continue
    }
    const next = nextTry(object, item, change, result)
    if (next) again.push(next)
    else
      outcomes.set(item.id, {
        state: 'failed',
        status: result.status,
        message: result.message,
        retry: result.kind === 'busy',
      })
  }
  await remember(done)
  return again
}

/** Finds each record in the CRM: by the remembered id, then by what else it is known by, in order. */
async function match(crm: Crm, object: CrmObject, work: Work[]): Promise<Map<string, ExistingRecord>> {
  const matches = new Map<string, ExistingRecord>()
  const remembered = work.flatMap(({ remembered }) => (remembered ? [remembered.crm_id] : []))
  if (remembered.length > 0) {
    const found = new Map(
      (await crm.find(object, 'id', [...new Set(remembered)])).map((existing) => [existing.id, existing]),
    )
    for (const { id, remembered } of work) {
      const existing = remembered && found.get(remembered.crm_id)
      if (existing) matches.set(id, existing)
    }
  }
  for (const by of LOOKUP_ORDER[object]) {
    const left = work.filter(({ id }) => !matches.has(id))
    const wanted = new Set(left.flatMap((item) => wantedBy(item, by) ?? []))
    if (wanted.size === 0) continue
    const found = new Map<string, ExistingRecord>()
    for (const existing of await crm.find(object, by, [...wanted])) {
      const value = (by === 'key' ? existing.key : existing.values[by])?.toLowerCase()
      if (value && !found.has(value)) found.set(value, existing)
    }
    for (const item of left) {
      const existing = found.get(wantedBy(item, by)?.toLowerCase() ?? '')
      if (existing) matches.set(item.id, existing)
    }
  }
  return matches
}

function wantedBy({ id, values }: SyncItem, by: Exclude<LookupBy, 'id'>): string | null {
  return by === 'key' ? id : (values[by] ?? null)
}

function identities(object: CrmObject, item: SyncItem): string[] {
  return LOOKUP_ORDER[object].flatMap((by) => {
    const value = wantedBy(item, by)
    return value ? [`${by} ${value.toLowerCase()}`] : []
  })
}

/** What to write; null when the CRM has it all. A field a person filled stays as it is. */
function changeOf(
  { fields }: Crm,
  object: CrmObject,
  { id, values, company_id, remembered, dropped }: Work,
  existing: ExistingRecord | undefined,
): RecordChange | null {
  const wanted: FieldValues = {}
  for (const field of SHARED_FIELDS[object]) {
    const ours = values[field] ?? null
    if (ours === null || dropped.has(field) || !fields[object].has(field)) continue
    const theirs = existing?.values[field] ?? null
    if (theirs === null || (theirs !== ours && remembered?.written[field] === hashOf(theirs))) wanted[field] = ours
  }
  for (const field of OWNED_FIELDS[object]) {
    const ours = values[field] ?? null
    const theirs = existing?.values[field] ?? null
    if (ours?.trim() === theirs?.trim() || dropped.has(field) || !fields[object].has(field)) continue
    if (ours !== null || mayClear(object, field, id, existing)) wanted[field] = ours
  }
  const writeKey = existing !== undefined && existing.key === null && !dropped.has('key')
  // A contact that is with another company, or no longer with the one it was put to, was moved by a person.
  const wasPut = remembered !== undefined && remembered.crm_id === existing?.id && remembered.company_id === company_id
  const company = existing?.company_id || wasPut ? null : company_id
  if (existing && Object.keys(wanted).length === 0 && !writeKey && company === null) return null
  return { key: id, id: existing?.id ?? null, values: wanted, writeKey, company_id: company }
}

/** People of ours may share a contact: one that knows less than another takes nothing away. Its page is what it is found by. */
function mayClear(object: CrmObject, field: FieldName, id: string, existing: ExistingRecord | undefined): boolean {
  return object === 'company' || (field !== 'profile_url' && existing?.key === id)
}

/** How a refused record may still get in; null when it may not. */
function nextTry(object: CrmObject, refusedItem: Work, change: RecordChange, problem: RowProblem): Work | null {
  const item = { ...refusedItem, refusals: refusedItem.refusals + 1 }
  if (item.refusals >= ATTEMPTS) return null
  if (problem.kind === 'gone' && change.id !== null) return { ...item, remembered: undefined }
  if (problem.kind === 'taken') {
    const { unique, existing } = problem
    // The record that was found is the right one, by its email for instance: only an email that is elsewhere says more.
    if (change.id !== null && (unique === 'profile_url' || unique === 'key'))
      return { ...item, dropped: new Set([...item.dropped, unique]) }
    if (existing) return { ...item, remembered: { id: item.id, crm_id: existing, written: {}, company_id: null } }
  }
  const refused = (problem.fields ?? []).filter((field) => field in change.values && !NEEDED[object].has(field))
  if (problem.kind === 'busy' || refused.length === 0) return null
  return { ...item, dropped: new Set([...item.dropped, ...refused]) }
}

/** Without these a record is none, or could not be found again. */
const NEEDED: Record<CrmObject, ReadonlySet<FieldName>> = {
  company: new Set<FieldName>(['name']),
  contact: new Set<FieldName>(['email', 'last_name', 'profile_url']),
}

/**
 * Hashes of the fields in which the record with our key holds our values already. A worker that was killed before it could
 * remember them, or one that runs at the same time, wrote them; without a hash they would count as typed by a person.
 */
function hashesOfEqualFields(
  object: CrmObject,
  { id, values }: SyncItem,
  existing: ExistingRecord | undefined,
): Record<string, string> {
  if (existing?.key !== id) return {}
  const same = SHARED_FIELDS[object].filter((field) => existing.values[field] === values[field])
  return hashes(object, Object.fromEntries(same.map((field) => [field, values[field] ?? null])))
}

/** Hashes are enough to tell what is ours from what a person typed, and keep nothing of anybody. */
function hashes(object: CrmObject, values: FieldValues): Record<string, string> {
  return Object.fromEntries(
    SHARED_FIELDS[object].flatMap((field) => (values[field] ? [[field, hashOf(values[field])]] : [])),
  )
}

function hashOf(value: string): string {
  return createHash('sha256').update(value.trim()).digest('base64url').slice(0, 16)
}
