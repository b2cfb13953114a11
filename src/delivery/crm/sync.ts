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

/** The result of pushing a record to one CRM. `retry`: another attempt may succeed. */
export type SyncOutcome =
  | { state: 'pushed'; crm_id: string; created: boolean }
  | { state: 'failed'; status: number | null; message: string; retry: boolean }
  | { state: 'skipped'; message: string }

export type SyncItem = { id: string; values: FieldValues; company_id: string | null }

type Work = SyncItem & {
  link: CrmLink | undefined
  /** Fields the CRM refused, which are no longer sent. */
  dropped: Set<FieldName | 'key'>
  /** How often the CRM refused the record. */
  refusals: number
}

/** The fields a record is searched by, in this order. The key finds records written by a killed worker. */
const LOOKUP_ORDER: Record<CrmObject, Exclude<LookupBy, 'id'>[]> = {
  company: ['key', 'domain'],
  contact: ['email', 'profile_url', 'key'],
}

/** A new record must have one of these fields: otherwise a later push could not find it. */
const REQUIRED: Record<CrmObject, FieldName[]> = { company: [], contact: ['email', 'profile_url'] }

/** The reason for skipping a person that a later push could not find. */
export const WITHOUT_IDENTITY = 'It has neither an email nor a profile page to identify it by.'

/** Attempts for a record that conflicts with another, was deleted in the CRM or has a field the CRM refuses. */
const ATTEMPTS = 4

/**
 * Writes records to a CRM: each is matched with an existing record, and created when none matches. Calls `saveLinks` after
 * each round, before any further call. Throws CrmError auth, quota and schema; other failures are outcomes.
 */
export async function syncRecords(
  crm: Crm,
  object: CrmObject,
  items: SyncItem[],
  links: Map<string, CrmLink>,
  saveLinks: (rows: CrmLink[]) => Promise<void>,
): Promise<Map<string, SyncOutcome>> {
  const outcomes = new Map<string, SyncOutcome>()
  let work: Work[] = items.map((item) => ({ ...item, link: links.get(item.id), dropped: new Set(), refusals: 0 }))
  // Terminates: each round settles the first of the items that match one CRM record, or counts a refusal of it.
  while (work.length > 0) {
    try {
      work = await syncRound(crm, object, work, outcomes, saveLinks)
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

/** Returns the items that need another round. */
async function syncRound(
  crm: Crm,
  object: CrmObject,
  work: Work[],
  outcomes: Map<string, SyncOutcome>,
  saveLinks: (rows: CrmLink[]) => Promise<void>,
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
      // The CRM has all values already.
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
    // Two items that match one CRM record, or would create the same one, are written in separate rounds.
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
  await saveLinks(done)
  return again
}

/** Finds each record in the CRM: by the id of its link, then by the fields of LOOKUP_ORDER. */
async function match(crm: Crm, object: CrmObject, work: Work[]): Promise<Map<string, ExistingRecord>> {
  const matches = new Map<string, ExistingRecord>()
  const linkedIds = work.flatMap(({ link }) => (link ? [link.crm_id] : []))
  if (linkedIds.length > 0) {
    const found = new Map(
      (await crm.find(object, 'id', [...new Set(linkedIds)])).map((existing) => [existing.id, existing]),
    )
    for (const { id, link } of work) {
      const existing = link && found.get(link.crm_id)
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

/** The change to write; null when the CRM has all values. A field a person filled is not overwritten. */
function changeOf(
  { fields }: Crm,
  object: CrmObject,
  { id, values, company_id, link, dropped }: Work,
  existing: ExistingRecord | undefined,
): RecordChange | null {
  const wanted: FieldValues = {}
  for (const field of SHARED_FIELDS[object]) {
    const ours = values[field] ?? null
    if (ours === null || dropped.has(field) || !fields[object].has(field)) continue
    const theirs = existing?.values[field] ?? null
    if (theirs === null || (theirs !== ours && link?.written[field] === hashOf(theirs))) wanted[field] = ours
  }
  for (const field of OWNED_FIELDS[object]) {
    const ours = values[field] ?? null
    const theirs = existing?.values[field] ?? null
    if (ours?.trim() === theirs?.trim() || dropped.has(field) || !fields[object].has(field)) continue
    if (ours !== null || mayClear(object, field, id, existing)) wanted[field] = ours
  }
  const writeKey = existing !== undefined && existing.key === null && !dropped.has('key')
  // A contact with another company, or without the one the service associated it with, was moved by a person.
  const wasAssociated = link !== undefined && link.crm_id === existing?.id && link.company_id === company_id
  const company = existing?.company_id || wasAssociated ? null : company_id
  if (existing && Object.keys(wanted).length === 0 && !writeKey && company === null) return null
  return { key: id, id: existing?.id ?? null, values: wanted, writeKey, company_id: company }
}

/** Several people may match one contact: only the one that created it clears fields, and never the URL it is found by. */
function mayClear(object: CrmObject, field: FieldName, id: string, existing: ExistingRecord | undefined): boolean {
  return object === 'company' || (field !== 'profile_url' && existing?.key === id)
}

/** The next attempt for a refused record; null when there is none. */
function nextTry(object: CrmObject, refusedItem: Work, change: RecordChange, problem: RowProblem): Work | null {
  const item = { ...refusedItem, refusals: refusedItem.refusals + 1 }
  if (item.refusals >= ATTEMPTS) return null
  if (problem.kind === 'gone' && change.id !== null) return { ...item, link: undefined }
  if (problem.kind === 'taken') {
    const { unique, existing } = problem
    // The matched record is the right one, for instance by its email; only an email held by another record overrides that.
    if (change.id !== null && (unique === 'profile_url' || unique === 'key'))
      return { ...item, dropped: new Set([...item.dropped, unique]) }
    if (existing) return { ...item, link: { id: item.id, crm_id: existing, written: {}, company_id: null } }
  }
  const refused = (problem.fields ?? []).filter((field) => field in change.values && !NEEDED[object].has(field))
  if (problem.kind === 'busy' || refused.length === 0) return null
  return { ...item, dropped: new Set([...item.dropped, ...refused]) }
}

/** Required by the CRM, or needed to find the record again. */
const NEEDED: Record<CrmObject, ReadonlySet<FieldName>> = {
  company: new Set<FieldName>(['name']),
  contact: new Set<FieldName>(['email', 'last_name', 'profile_url']),
}

/**
 * Hashes of the fields in which the record with our key has our values already. A worker that was killed before it saved
 * the link, or a concurrent one, wrote them; without a hash they would count as typed by a person.
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

/** Hashes suffice to distinguish our values from those a person typed, and store no personal data. */
function hashes(object: CrmObject, values: FieldValues): Record<string, string> {
  return Object.fromEntries(
    SHARED_FIELDS[object].flatMap((field) => (values[field] ? [[field, hashOf(values[field])]] : [])),
  )
}

export function hashOf(value: string): string {
  return createHash('sha256').update(value.trim()).digest('base64url').slice(0, 16)
}
