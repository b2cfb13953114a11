import { randomUUID } from 'node:crypto'
import type { SandboxResponse } from '../types.ts'
import {
  checkProperties,
  DEAL_STAGES,
  type DealLinks,
  type Definition,
  type HubspotRecord,
  type HubspotType,
  MODIFIED,
  type Properties,
  type PropertyError,
} from './hubspot-records.ts'

type Input = { id: string; idProperty?: string; properties?: Properties; objectWriteTraceId?: string }
type State = {
  records: Record<HubspotType, Map<string, HubspotRecord>>
  properties: Record<HubspotType, Map<string, Definition>>
  associations: Set<string>
  searchLagMs: number
  now: () => number
}
type Filter = { propertyName: string; operator: string; value?: string; values?: string[] }
type Search = {
  filterGroups: { filters: Filter[] }[]
  sorts?: { propertyName: string; direction?: 'ASCENDING' | 'DESCENDING' }[]
  properties: string[]
  limit?: number
  after?: string
}

const MAX_INPUTS = 100
const MAX_SEARCHED = 10_000
const LIST_PAGE = 100
let ids = 1000

/** Ids are unique over all types of objects. */
export const nextHubspotId = () => String(++ids)

/** The lists, the batch endpoints and the search of an object. */
export function createBatches({ records, properties: definitions, associations, searchLagMs, now }: State) {
  /** Records by unique value, since scanning thousands of records for each would take too long. */
  const index = new Map<string, string>()
  const archived: Record<HubspotType, HubspotRecord[]> = { companies: [], contacts: [], deals: [] }
  const links = new Map<string, DealLinks>()
  /** Ids of merged records lead to the record that they became. */
  const aliases = new Map<string, string>()
  /** Sorted records for lists and searches, built again after a write. */
  const sorted = new Map<string, HubspotRecord[]>()

  function insert(type: HubspotType, given: Properties): HubspotRecord {
    const id = nextHubspotId()
    const at = now()
    const times = { createdate: new Date(at).toISOString(), [MODIFIED[type]]: new Date(at).toISOString() }
    const properties = calculated(type, { ...times, ...given, hs_object_id: id })
    const modifiedAt = timeOf(properties[MODIFIED[type]]) ?? at
    const createdAt = timeOf(properties.createdate) ?? at
    const record = { id, properties, createdAt, modifiedAt, history: [{ at: modifiedAt, properties }] }
    records[type].set(id, record)
    note(type, record)
    sorted.clear()
    return record
  }

  function change(type: HubspotType, id: string, given: Properties): void {
    const record = records[type].get(id)
    if (!record) throw new Error(`there is no ${type} ${id}`)
    const at = now()
    record.modifiedAt = at
    record.properties = calculated(type, {
      ...record.properties,
      [MODIFIED[type]]: new Date(at).toISOString(),
      ...given,
    })
    // A search sees no state that is older than the newest one before its horizon.
    const oldest = record.history.findLastIndex((state) => state.at <= at - searchLagMs)
    record.history = [...record.history.slice(Math.max(0, oldest)), { at, properties: record.properties }]
    note(type, record)
    sorted.clear()
  }

  /** Archives a record as a deletion does, and removes its associations. */
  function archive(type: HubspotType, id: string): void {
    const record = records[type].get(id)
    if (!record) return
    record.archivedAt = now()
    archived[type].push(record)
    records[type].delete(id)
    sorted.clear()
    replaceLinks(type, id, [])
  }

  /** Merges two records into a new one with a new id, to which the former ids lead, as HubSpot does. Returns the id. */
  function merge(type: HubspotType, primaryId: string, otherId: string): string {
    const primary = records[type].get(primaryId)
    const other = records[type].get(otherId)
    if (!primary || !other || primary === other) throw new Error(`${type} ${primaryId} and ${otherId} cannot be merged`)
    for (const one of [primary, other]) {
      records[type].delete(one.id)
      archived[type].push({ ...one, archivedAt: now() })
    }
    const filled = Object.entries(primary.properties).filter(([, value]) => value)
    const former = [primary, other].flatMap(({ id, properties }) => [
      ...(properties.hs_merged_object_ids?.split(';').filter(Boolean) ?? []),
      id,
    ])
    const { [MODIFIED[type]]: _, ...properties } = { ...other.properties, ...Object.fromEntries(filled) }
    const { id } = insert(type, { ...properties, hs_merged_object_ids: former.join(';') })
    const [one, two] = [links.get(primaryId), links.get(otherId)]
    if (one || two)
      links.set(id, {
        companies: [...new Set([...(one?.companies ?? []), ...(two?.companies ?? [])])],
        contacts: [...new Set([...(one?.contacts ?? []), ...(two?.contacts ?? [])])],
      })
    for (const old of [primaryId, otherId]) {
      aliases.set(old, id)
      replaceLinks(type, old, [id])
    }
    return id
  }

  function replaceLinks(type: HubspotType, id: string, by: string[]): void {
    links.delete(id)
    if (type === 'deals') return
    for (const [dealId, linked] of links) {
      if (!linked[type].includes(id)) continue
      const ids = linked[type].flatMap((one) => (one === id ? by : [one]))
      link(dealId, { ...linked, [type]: [...new Set(ids)] })
    }
    for (const pair of associations) {
      const [contact, company] = pair.split(' ') as [string, string]
      if ((type === 'contacts' ? contact : company) !== id) continue
      associations.delete(pair)
      for (const other of by) associations.add(type === 'contacts' ? `${other} ${company}` : `${contact} ${other}`)
    }
    if (type !== 'companies') return
    for (const contact of records.contacts.values()) {
      if (contact.properties.associatedcompanyid === id)
        change('contacts', contact.id, { associatedcompanyid: by[0] ?? '' })
    }
  }

  /** Replaces the associations of a deal. */
  function link(dealId: string, linked: DealLinks): void {
    links.set(dealId, linked)
    change('deals', dealId, { num_associated_contacts: String(linked.contacts.length) })
  }

  /** By the id, or by a unique property: both see every write immediately. */
  function lookUp(type: HubspotType, id: string, idProperty: string | undefined): HubspotRecord | undefined {
    if (!idProperty) {
      let current = id
      while (aliases.has(current)) current = aliases.get(current) as string
      return records[type].get(current)
    }
    return holder(type, idProperty, id)
  }

  function holder(type: HubspotType, name: string, value: string): HubspotRecord | undefined {
    const wanted = value.toLowerCase()
    const record = records[type].get(index.get(`${type} ${name} ${wanted}`) ?? '')
    return record?.properties[name]?.toLowerCase() === wanted ? record : undefined
  }

  function note(type: HubspotType, { id, properties }: HubspotRecord): void {
    for (const [name, value] of Object.entries(properties)) {
      if (value && definitions[type].get(name)?.hasUniqueValue) index.set(`${type} ${name} ${value.toLowerCase()}`, id)
    }
  }

  function inOrder(type: HubspotType, by: 'id' | 'modifiedAt'): HubspotRecord[] {
    const there = sorted.get(type + by)
    if (there) return there
    const made = [...records[type].values()].sort((a, b) => Number(a[by]) - Number(b[by]))
    sorted.set(type + by, made)
    return made
  }

  /** Every write is seen immediately. The archived records are in the order of their deletion. */
  function list(type: HubspotType, query: URLSearchParams): SandboxResponse {
    const limit = Number(query.get('limit') ?? 10)
    if (!(limit >= 1 && limit <= LIST_PAGE)) return refuse(400, 'VALIDATION_ERROR', `limit must be 1 to ${LIST_PAGE}`)
    const wanted = query.get('properties')?.split(',') ?? []
    const related = query.get('associations')?.split(',') ?? []
    const after = query.get('after')
    const isArchive = query.get('archived') === 'true'
    const all = isArchive ? archived[type] : inOrder(type, 'id')
    const from = after === null ? 0 : isArchive ? Number(after) : firstAt(all, ({ id }) => Number(id) >= Number(after))
    const page = all.slice(from, from + limit)
    const next = all[from + limit]
    const results = page.map((record) => ({
      ...shown(record, record.properties, wanted),
      ...(related.length > 0 && type === 'deals' ? linksShown(record.id, related) : {}),
    }))
    const paging = next ? { paging: { next: { after: isArchive ? String(from + limit) : next.id, link: '?' } } } : {}
    return answer(200, { results, ...paging })
  }

  function linksShown(dealId: string, related: string[]) {
    const linked = links.get(dealId)
    const associations: Record<string, { results: { id: string; type: string }[] }> = {}
    for (const type of ['companies', 'contacts'] as const) {
      if (!related.includes(type) || !linked?.[type].length) continue
      const name = type === 'companies' ? 'deal_to_company' : 'deal_to_contact'
      const results = linked[type].flatMap((id, at) =>
        type === 'companies'
          ? [...(at === 0 ? [{ id, type: name }] : []), { id, type: `${name}_unlabeled` }]
          : [{ id, type: name }],
      )
      associations[type] = { results }
    }
    return Object.keys(associations).length > 0 ? { associations } : {}
  }

  /** The records that deals are associated with; a deal without any is an error in the list, not a result. */
  function dealLinks(type: 'companies' | 'contacts', body: unknown): SandboxResponse {
    const { inputs } = body as { inputs: { id: string }[] }
    if (inputs.length === 0 || inputs.length > 1_000) return refuse(400, 'VALIDATION_ERROR', 'too many inputs')
    const results: object[] = []
    const errors: object[] = []
    for (const { id } of inputs) {
      const linked = links.get(id)?.[type] ?? []
      const to = linked.map((toObjectId, at) => ({
        toObjectId: Number(toObjectId),
        associationTypes: [
          ...(type === 'companies' && at === 0 ? [{ category: 'HUBSPOT_DEFINED', typeId: 5, label: 'Primary' }] : []),
          { category: 'HUBSPOT_DEFINED', typeId: type === 'companies' ? 341 : 3, label: null },
        ],
      }))
      if (to.length > 0) results.push({ from: { id }, to })
      else
        errors.push({
          status: 'error',
          category: 'OBJECT_NOT_FOUND',
          subCategory: 'crm.associations.NO_ASSOCIATIONS_FOUND',
          message: `No ${type} is associated with deals ${id}.`,
        })
    }
    return complete(errors.length > 0 ? 207 : 200, results, errors)
  }

  function run(type: HubspotType, what: string, body: unknown): SandboxResponse {
    if (what === 'search') return search(type, body as Search)
    const { inputs, idProperty } = body as { inputs: Input[]; idProperty?: string }
    if (!Array.isArray(inputs) || inputs.length === 0)
      return refuse(400, 'VALIDATION_ERROR', 'inputs must not be empty')
    if (inputs.length > MAX_INPUTS)
      return refuse(400, 'VALIDATION_ERROR', `The batch size must be at most ${MAX_INPUTS}`)
    if (what === 'batch/read') return read(type, inputs, idProperty, (body as { properties: string[] }).properties)
    if (new Set(inputs.map(({ id }) => id)).size < inputs.length) {
      return refuse(400, 'VALIDATION_ERROR', 'Duplicate IDs found in batch input')
    }
    if (what === 'batch/update' || what === 'batch/upsert') return write(type, inputs, what === 'batch/upsert')
    return refuse(404, 'OBJECT_NOT_FOUND', `There is no ${what}.`)
  }

  function read(type: HubspotType, inputs: Input[], idProperty: string | undefined, wanted: string[]): SandboxResponse {
    if (idProperty && !definitions[type].get(idProperty)?.hasUniqueValue) {
      return refuse(400, 'VALIDATION_ERROR', `idProperty ${idProperty} is not a unique property`)
    }
    const found = inputs.map(({ id }) => lookUp(type, id, idProperty))
    const missing = inputs.filter((_, at) => !found[at]).map(({ id }) => id)
    const there = new Set(found.filter((record) => record !== undefined))
    const results = [...there].map((record) => shown(record, record.properties, wanted))
    if (missing.length === 0) return complete(200, results)
    const message = 'Could not get some objects, they may be deleted or not exist. Check that ids are valid.'
    return complete(207, results, [
      { status: 'error', category: 'OBJECT_NOT_FOUND', message, context: { ids: missing } },
    ])
  }

  function write(type: HubspotType, inputs: Input[], upserts: boolean): SandboxResponse {
    const unique = inputs.every(({ idProperty }) => !idProperty || definitions[type].get(idProperty)?.hasUniqueValue)
    if (!unique || (upserts && inputs.some(({ idProperty }) => !idProperty))) {
      return refuse(400, 'VALIDATION_ERROR', 'idProperty must be a unique property')
    }
    // Independent records when every input has a trace id; otherwise all or none.
    const partial = inputs.every(({ objectWriteTraceId }) => objectWriteTraceId)
    const before = partial ? null : structuredClone(records[type])
    const results: object[] = []
    const errors: object[] = []
    for (const input of inputs) {
      const { id, idProperty, properties = {}, objectWriteTraceId } = input
      const there = lookUp(type, id, idProperty)
      const wrong: PropertyError | null =
        there || upserts
          ? checkProperties(
              type,
              definitions[type],
              (name, value) => holder(type, name, value),
              properties,
              there?.id ?? null,
            )
          : { category: 'OBJECT_NOT_FOUND', message: `Object not found. objectId is ${id}.` }
      if (wrong && !partial) {
        if (before) records[type] = before
        sorted.clear()
        return refuse(wrong.category === 'CONFLICT' ? 409 : 400, wrong.category, wrong.message)
      }
      if (wrong) {
        const { category, message, propertyName } = wrong
        const context = {
          objectWriteTraceId: [objectWriteTraceId as string],
          ...(propertyName ? { propertyName: [propertyName] } : {}),
        }
        errors.push({ status: 'error', category, message, context })
        continue
      }
      if (there) change(type, there.id, properties)
      const record = there ?? insert(type, { ...(idProperty ? { [idProperty]: id } : {}), ...properties })
      results.push({
        ...shown(record, (records[type].get(record.id) as HubspotRecord).properties, Object.keys(properties)),
        ...(upserts ? { new: !there } : {}),
        ...(objectWriteTraceId ? { objectWriteTraceId } : {}),
      })
    }
    return errors.length > 0 ? complete(207, results, errors) : complete(200, results)
  }

  /** Sees every record as of a while ago. */
  function search(type: HubspotType, query: Search): SandboxResponse {
    const { filterGroups, sorts = [], properties: wanted, limit = 10, after = '0' } = query
    if (limit > 200) return refuse(400, 'VALIDATION_ERROR', 'limit must be at most 200')
    const from = Number(after)
    if (from + limit > MAX_SEARCHED) return refuse(400, 'VALIDATION_ERROR', `only ${MAX_SEARCHED} results can be read`)
    const [sort] = sorts
    if (sorts.length > 1) return refuse(400, 'VALIDATION_ERROR', 'only one sort is allowed')
    const horizon = now() - searchLagMs
    const matching = candidates(type, filterGroups).flatMap((record) => {
      const seen = searchLagMs === 0 ? record : record.history.findLast(({ at }) => at <= horizon)
      return seen && filterGroups.some(({ filters }) => filters.every((filter) => holds(filter, seen.properties)))
        ? [{ record, properties: seen.properties }]
        : []
    })
    if (sort) {
      const sign = sort.direction === 'DESCENDING' ? -1 : 1
      const keyed = matching.map((one) => ({ one, key: comparable(one.properties[sort.propertyName] ?? '') }))
      keyed.sort((a, b) => sign * compare(a.key, b.key))
      matching.splice(0, matching.length, ...keyed.map(({ one }) => one))
    }
    const results = matching
      .slice(from, from + limit)
      .map(({ record, properties }) => shown(record, properties, wanted))
    const next = from + limit < matching.length ? { paging: { next: { after: String(from + limit) } } } : {}
    return answer(200, { total: matching.length, results, ...next })
  }

  /** The records a search may find: those changed since, when every group demands it, or all. */
  function candidates(type: HubspotType, groups: Search['filterGroups']): HubspotRecord[] {
    const bounds = groups.map(({ filters }) =>
      filters.find(
        ({ propertyName, operator }) => propertyName === MODIFIED[type] && ['GTE', 'GT', 'EQ'].includes(operator),
      ),
    )
    const since = Math.min(...bounds.map((filter) => timeOf(filter?.value) ?? 0))
    if (bounds.length === 0 || !(since > 0)) return inOrder(type, 'id')
    const all = inOrder(type, 'modifiedAt')
    return all.slice(firstAt(all, ({ modifiedAt }) => modifiedAt >= since))
  }

  function associate(body: unknown): SandboxResponse {
    const { inputs } = body as { inputs: { from: { id: string }; to: { id: string } }[] }
    const good = inputs.filter(({ from, to }) => records.contacts.has(from.id) && records.companies.has(to.id))
    for (const { from, to } of good) {
      associations.add(`${from.id} ${to.id}`)
      // The first company of a contact is its primary one.
      const contact = records.contacts.get(from.id) as HubspotRecord
      if (!contact.properties.associatedcompanyid) change('contacts', from.id, { associatedcompanyid: to.id })
    }
    const associationSpec = { associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 1 }
    const results = good.map((pair) => ({ ...pair, associationSpec }))
    const errors = inputs
      .filter((pair) => !good.includes(pair))
      .map(({ from }) => ({
        status: 'error',
        category: 'VALIDATION_ERROR',
        message: 'One of the records does not exist',
        context: { fromObjectId: [from.id] },
      }))
    return errors.length > 0 ? complete(207, results, errors) : complete(200, results)
  }

  return { run, list, dealLinks, associate, insert, change, archive, merge, link, links, archived }
}

/** Properties that HubSpot calculates: whether a deal is closed or won follows from its stage. */
function calculated(type: HubspotType, properties: Properties): Properties {
  const stage = type === 'deals' ? DEAL_STAGES[properties.dealstage ?? ''] : undefined
  if (!stage) return properties
  const isWon = stage.isClosed === 'true' && stage.probability === '1.0'
  return { ...properties, hs_is_closed: stage.isClosed, hs_is_closed_won: String(isWon) }
}

/** The index of the first element of a sorted list that is far enough. */
function firstAt<T>(all: readonly T[], isReached: (one: T) => boolean): number {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isReached(all[middle] as T)) high = middle
    else low = middle + 1
  }
  return low
}

/** A date, or milliseconds since 1970 as in filters. */
function timeOf(value: string | null | undefined): number | null {
  if (!value) return null
  const time = /^\d{11,}$/.test(value) ? Number(value) : Date.parse(value)
  return Number.isNaN(time) ? null : time
}

function comparable(value: string): number | string {
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return Date.parse(value)
  return value !== '' && Number.isFinite(Number(value)) ? Number(value) : value
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
}

function holds({ propertyName, operator, value, values }: Filter, properties: Properties): boolean {
  const held = properties[propertyName]?.toLowerCase()
  if (!held) return false
  if (operator === 'IN') return (values ?? []).some((one) => one.toLowerCase() === held)
  const difference = compare(comparable(properties[propertyName] as string), comparable(value ?? ''))
  if (operator === 'EQ') return held === value?.toLowerCase() || difference === 0
  if (operator === 'GT') return difference > 0
  if (operator === 'GTE') return difference >= 0
  throw new Error(`the sandbox has no operator ${operator}`)
}

function shown({ id, createdAt, modifiedAt, archivedAt }: HubspotRecord, properties: Properties, wanted: string[]) {
  const picked: Properties = {}
  for (const name of wanted) picked[name] = properties[name] || null
  picked.hs_object_id = properties.hs_object_id ?? id
  picked.createdate = properties.createdate ?? null
  return {
    id,
    properties: picked,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(modifiedAt).toISOString(),
    archived: archivedAt !== undefined,
    ...(archivedAt === undefined ? {} : { archivedAt: new Date(archivedAt).toISOString() }),
  }
}

function complete(status: number, results: object[], errors: object[] = []): SandboxResponse {
  const at = new Date().toISOString()
  return answer(status, {
    status: 'COMPLETE',
    results,
    ...(errors.length > 0 ? { numErrors: errors.length, errors } : {}),
    startedAt: at,
    completedAt: at,
  })
}

function refuse(status: number, category: string, message: string): SandboxResponse {
  return answer(status, { status: 'error', message, correlationId: randomUUID(), category })
}

function answer(status: number, body: object): SandboxResponse {
  return { status, headers: { 'content-type': 'application/json;charset=utf-8' }, body: JSON.stringify(body) }
}
