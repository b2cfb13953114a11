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

export type SyncItem = {
  id: string
  values: FieldValues
  company_id: string | null
  /** Fields whose value was read from this CRM: it is a person's there, and never one that the service wrote. */
  adopted: ReadonlySet<FieldName>
}

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

/** What a push does with a field that it has a value for. kept: a person filled it. */
export type FieldDecision = {
  field: FieldName
  theirs: string | null
  ours: string | null
  action: 'write' | 'same' | 'kept'
}

/** What a push does with a record. */
export type RecordDecision = { fields: FieldDecision[] } & (
  | { action: 'create' | 'update'; change: RecordChange }
  | { action: 'nothing'; existing: ExistingRecord }
  | { action: 'skip'; message: string }
)

/** Decides what a push would do with records, without writing anything. Throws CrmError. */
export async function previewRecords(
  crm: Crm,
  object: CrmObject,
  items: SyncItem[],
  links: Map<string, CrmLink>,
): Promise<Map<string, RecordDecision>> {
  // A push creates the fields of the service first; here they may be missing.
  const present = new Set((await crm.listFields(object)).map(({ name }) => name))
  const work = items.map((item) => startWork(item, links))
  const matches = await match(crm, object, work, present)
  return new Map(work.map((item) => [item.id, decide(crm, object, item, matches.get(item.id))]))
}

const startWork = (item: SyncItem, links: Map<string, CrmLink>): Work => ({
  ...{ ...item, link: links.get(item.id), dropped: new Set(), refusals: 0 },
})

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
  let work: Work[] = items.map((item) => startWork(item, links))
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
    const decision = decide(crm, object, item, existing)
    if (decision.action === 'skip') {
      outcomes.set(item.id, { state: 'skipped', message: decision.message })
      continue
    }
    if (decision.action === 'nothing') {
      const { id: crm_id } = decision.existing
      outcomes.set(item.id, { state: 'pushed', crm_id, created: false })
      const written = hashesOfEqualFields(crm, object, item, existing)
      done.push({ id: item.id, crm_id, written, company_id: item.company_id })
      continue
    }
    // Two items that match one CRM record, or would create the same one, are written in separate rounds.
    const names = existing ? [existing.id] : identities(object, item)
    if (names.some((name) => targets.has(name))) {
      again.push(item)
      continue
    }
    for (const name of names) targets.add(name)
    changes.set(item.id, { item, change: decision.change })
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
        written: {
          ...hashesOfEqualFields(crm, object, item, matches.get(item.id)),
          ...hashes(crm, object, change.values),
        },
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
async function match(
  crm: Crm,
  object: CrmObject,
  work: Work[],
  present?: ReadonlySet<string>,
): Promise<Map<string, ExistingRecord>> {
  const matches = new Map<string, ExistingRecord>()
  const linkedIds = work.flatMap(({ link }) => (link ? [link.crm_id] : []))
  if (linkedIds.length > 0) {
    const found = new Map(
      (await crm.find(object, 'id', [...new Set(linkedIds)], present)).map((existing) => [existing.id, existing]),
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
    for (const existing of await crm.find(object, by, [...wanted], present)) {
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

/** Decides what to do with a record that matches an existing one or none. */
function decide(crm: Crm, object: CrmObject, item: Work, existing: ExistingRecord | undefined): RecordDecision {
  const { id, company_id, link, dropped } = item
  const fields = decideFields(crm, object, item, existing)
  if (!existing && REQUIRED[object].length > 0 && !REQUIRED[object].some((field) => item.values[field]))
    return { action: 'skip', fields, message: WITHOUT_IDENTITY }
  const values = Object.fromEntries(
    fields.flatMap(({ field, ours, action }) => (action === 'write' ? [[field, ours]] : [])),
  )
  const writeKey = existing !== undefined && existing.key === null && !dropped.has('key')
  // A contact with another company, or without the one the service associated it with, was moved by a person.
  const wasAssociated = link !== undefined && link.crm_id === existing?.id && link.company_id === company_id
  const company = existing?.company_id || wasAssociated ? null : company_id
  if (existing && Object.keys(values).length === 0 && !writeKey && company === null)
    return { action: 'nothing', fields, existing }
  const change = { key: id, id: existing?.id ?? null, values, writeKey, company_id: company }
  return { action: existing ? 'update' : 'create', fields, change }
}

/** A field a person filled is not overwritten; one that only the service fills always has its value. */
function decideFields(crm: Crm, object: CrmObject, item: Work, existing: ExistingRecord | undefined): FieldDecision[] {
  const { id, values, link, dropped } = item
  const isOffered = (field: FieldName) => !dropped.has(field) && crm.targets[object][field] !== undefined
  return [...SHARED_FIELDS[object], ...OWNED_FIELDS[object]].filter(isOffered).flatMap((field): FieldDecision[] => {
    const ours = values[field] ?? null
    const theirs = existing?.values[field] ?? null
    const decision = (action: FieldDecision['action']) => [{ field, ours, theirs, action }]
    if (isShared(crm, object, field)) {
      const wasWritten = theirs !== null && link?.written[writtenName(crm, object, field)] === hashOf(theirs)
      if (ours === null)
        return wasWritten && isOwned(object, field) && mayClear(object, field, id, existing) ? decision('write') : []
      if (theirs === ours) return decision('same')
      // A value of the CRM that is no longer there was changed or cleared by a person since it was read.
      if (isAdopted(crm, object, item, field)) return theirs === null ? [] : decision('kept')
      return decision(theirs === null || wasWritten ? 'write' : 'kept')
    }
    if (ours?.trim() === theirs?.trim()) return ours === null ? [] : decision('same')
    if (ours !== null || mayClear(object, field, id, existing)) return decision('write')
    return []
  })
}

/** Whether people fill the field too: that may be so for every field that a workspace has mapped to one of its own. */
export function isShared({ targets, defaultTargets }: Crm, object: CrmObject, field: FieldName): boolean {
  return isSharedByDefault(object, field) || targets[object][field] !== defaultTargets[object][field]
}

/** Whether people fill the field too where the vendor has it by default. */
export const isSharedByDefault = (object: CrmObject, field: FieldName) => !isOwned(object, field)

/** Whether the service alone has values for the field, wherever it is written. */
const isOwned = (object: CrmObject, field: FieldName) => (OWNED_FIELDS[object] as readonly FieldName[]).includes(field)

/** Values are read from the default targets, so that a field that is mapped elsewhere is written there. */
function isAdopted(
  { targets, defaultTargets }: Crm,
  object: CrmObject,
  { adopted }: SyncItem,
  field: FieldName,
): boolean {
  return adopted.has(field) && targets[object][field] === defaultTargets[object][field]
}

/** The name of a hash: what was written to one field of the CRM says nothing about another. */
function writtenName({ targets, defaultTargets }: Crm, object: CrmObject, field: FieldName): string {
  const target = targets[object][field]
  return target === defaultTargets[object][field] ? field : `${field} ${target}`
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
 * the link, or a concurrent one, wrote them; without a hash they would count as typed by a person. In a linked record,
 * an equal value counts only where the service has written before: a person may have typed the same.
 */
function hashesOfEqualFields(
  crm: Crm,
  object: CrmObject,
  item: Work,
  existing: ExistingRecord | undefined,
): Record<string, string> {
  const { id, values, link } = item
  if (existing?.key !== id) return {}
  const same = (Object.entries(values) as [FieldName, string | null][]).filter(
    ([field, value]) =>
      existing.values[field] === value &&
      !isAdopted(crm, object, item, field) &&
      (!link || writtenName(crm, object, field) in link.written),
  )
  return hashes(crm, object, Object.fromEntries(same))
}

/** Hashes suffice to distinguish our values from those a person typed, and store no personal data. */
function hashes(crm: Crm, object: CrmObject, values: FieldValues): Record<string, string> {
  return Object.fromEntries(
    (Object.entries(values) as [FieldName, string | null][]).flatMap(([field, value]) =>
      value && isShared(crm, object, field) ? [[writtenName(crm, object, field), hashOf(value)]] : [],
    ),
  )
}

export function hashOf(value: string): string {
  return createHash('sha256').update(value.trim()).digest('base64url').slice(0, 16)
}
