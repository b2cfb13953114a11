import { createHash } from 'node:crypto'
import {
  type Change,
  type Crm,
  CrmError,
  type CrmObject,
  type Existing,
  type FieldName,
  type LookupBy,
  OWNED_FIELDS,
  type RowProblem,
  SHARED_FIELDS,
  type Values,
} from '../../providers/crm/types.ts'
import type { Remembered } from './store.ts'

/** What became of a record at one CRM. `retry`: another attempt may go through. */
export type Outcome =
  | { state: 'pushed'; crm_id: string; created: boolean }
  | { state: 'failed'; status: number | null; message: string; retry: boolean }
  | { state: 'skipped'; message: string }

export type Item = { id: string; values: Values; company_id: string | null }

type Work = Item & {
  remembered: Remembered | undefined
  /** Fields the CRM would not have. */
  dropped: Set<FieldName>
}

/** What a record is looked for by, in this order. The key finds what was written by a worker that was killed. */
const WATERFALL: Record<CrmObject, Exclude<LookupBy, 'id'>[]> = {
  company: ['key', 'domain'],
  contact: ['email', 'profile_url', 'key'],
}

/** What a new record must have one of: without it, it could not be found again. */
const REQUIRED: Record<CrmObject, FieldName[]> = { company: [], contact: ['email', 'profile_url'] }

/** A record that collides, was deleted meanwhile or has a field the CRM refuses gets another round. */
const ROUNDS = 4

/**
 * Brings records into a CRM: each is matched with what is there, and created where nothing is. Calls `remember` with where
 * each went before anything else happens. Throws CrmError auth, quota and schema; what else goes wrong is an outcome.
 */
export async function sync(
  crm: Crm,
  object: CrmObject,
  items: Item[],
  known: Map<string, Remembered>,
  remember: (rows: Remembered[]) => Promise<void>,
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  let work: Work[] = items.map((item) => ({ ...item, remembered: known.get(item.id), dropped: new Set() }))
  for (let round = 1; work.length > 0; round++) {
    try {
      work = await syncRound(crm, object, work, outcomes, remember, round === ROUNDS)
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
  outcomes: Map<string, Outcome>,
  remember: (rows: Remembered[]) => Promise<void>,
  last: boolean,
): Promise<Work[]> {
  const matches = await match(crm, object, work)
  const again: Work[] = []
  const changes = new Map<string, { item: Work; change: Change }>()
  const done: Remembered[] = []
  const targets = new Set<string>()
  for (const item of work) {
    const existing = matches.get(item.id)
    if (!existing && REQUIRED[object].length > 0 && !REQUIRED[object].some((field) => item.values[field])) {
      outcomes.set(item.id, { state: 'skipped', message: 'It has neither an email nor a profile page to be known by.' })
      continue
    }
    // Two of ours that are one of theirs go one after the other.
    const names = existing ? [existing.id] : identities(object, item)
    if (names.some((name) => targets.has(name))) {
      again.push(item)
      continue
    }
    for (const name of names) targets.add(name)
    const change = changeOf(object, item, existing)
    if (change) changes.set(item.id, { item, change })
    else if (existing) {
      // Nothing to say that the CRM does not know.
      outcomes.set(item.id, { state: 'pushed', crm_id: existing.id, created: false })
      done.push({ id: item.id, crm_id: existing.id, written: item.remembered?.written ?? {} })
    }
  }
  const written =
    changes.size > 0
      ? await crm.write(
          object,
          [...changes.values()].map(({ change }) => change),
        )
      : []
  for (const result of written) {
    const { item, change } = changes.get(result.key) as { item: Work; change: Change }
    if (result.ok) {
      outcomes.set(item.id, { state: 'pushed', crm_id: result.id, created: result.created })
      done.push({
        id: item.id,
        crm_id: result.id,
        written: { ...item.remembered?.written, ...hashes(object, change.values) },
      })
      continue
    }
    const next = last ? null : nextTry(object, item, change, result)
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
  if (!last) return again
  for (const { id } of again)
    outcomes.set(id, {
      state: 'failed',
      status: null,
      message: `${crm.label} has this record more than once. Push it again.`,
      retry: true,
    })
  return []
}

/** Finds each record in the CRM: by the remembered id, then down the waterfall. */
async function match(crm: Crm, object: CrmObject, work: Work[]): Promise<Map<string, Existing>> {
  const matches = new Map<string, Existing>()
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
  for (const by of WATERFALL[object]) {
    const left = work.filter(({ id }) => !matches.has(id))
    const wanted = new Set(left.flatMap((item) => wantedBy(item, by) ?? []))
    if (wanted.size === 0) continue
    const found = new Map<string, Existing>()
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

function wantedBy({ id, values }: Item, by: Exclude<LookupBy, 'id'>): string | null {
  return by === 'key' ? id : (values[by] ?? null)
}

function identities(object: CrmObject, item: Item): string[] {
  return WATERFALL[object].flatMap((by) => {
    const value = wantedBy(item, by)
    return value ? [`${by} ${value.toLowerCase()}`] : []
  })
}

/** What to write; null when the CRM has it all. A field a person filled stays as it is. */
function changeOf(
  object: CrmObject,
  { id, values, company_id, remembered, dropped }: Work,
  existing: Existing | undefined,
): Change | null {
  const wanted: Values = {}
  for (const field of SHARED_FIELDS[object]) {
    const ours = values[field] ?? null
    if (ours === null || dropped.has(field)) continue
    const theirs = existing?.values[field] ?? null
    if (theirs === null || (theirs !== ours && remembered?.written[field] === hashOf(theirs))) wanted[field] = ours
  }
  for (const field of OWNED_FIELDS[object]) {
    const ours = values[field] ?? null
    const theirs = existing?.values[field] ?? null
    if (ours?.trim() !== theirs?.trim() && !dropped.has(field)) wanted[field] = ours
  }
  const claim = existing !== undefined && existing.key === null
  const joins = company_id !== null && existing?.company_id !== company_id
  // A contact that is with another company already was put there by a person.
  const company = joins && !existing?.company_id ? company_id : null
  if (existing && Object.keys(wanted).length === 0 && !claim && company === null) return null
  return { key: id, id: existing?.id ?? null, values: wanted, claim, company_id: company }
}

/** How a refused record may still get in; null when it may not. */
function nextTry(object: CrmObject, item: Work, change: Change, problem: RowProblem): Work | null {
  if (problem.kind === 'gone' && change.id !== null) return { ...item, remembered: undefined }
  if (problem.kind === 'taken' && problem.existing) {
    return { ...item, remembered: { id: item.id, crm_id: problem.existing, written: {} } }
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

/** Hashes are enough to tell what is ours from what a person typed, and keep nothing of anybody. */
function hashes(object: CrmObject, values: Values): Record<string, string> {
  return Object.fromEntries(
    SHARED_FIELDS[object].flatMap((field) => (values[field] ? [[field, hashOf(values[field])]] : [])),
  )
}

function hashOf(value: string): string {
  return createHash('sha256').update(value.trim()).digest('base64url').slice(0, 16)
}
