import { randomUUID } from 'node:crypto'
import type { SandboxResponse } from '../types.ts'
import {
  checkProperties,
  type Definition,
  type HubspotRecord,
  type HubspotType,
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

const MAX_INPUTS = 100
let ids = 1000

/** Ids are unique over all types of objects. */
export const nextHubspotId = () => String(++ids)

/** The batch endpoints and the search of an object. */
export function createBatches({ records, properties: definitions, associations, searchLagMs, now }: State) {
  /** Records by unique value, since scanning thousands of records for each would take too long. */
  const index = new Map<string, string>()

  function insert(type: HubspotType, given: Properties): HubspotRecord {
    const id = nextHubspotId()
    const at = now()
    const properties = { ...given, hs_object_id: id, createdate: new Date(at).toISOString() }
    const record = { id, properties, createdAt: at, history: [{ at, properties }] }
    records[type].set(id, record)
    note(type, record)
    return record
  }

  function change(type: HubspotType, id: string, given: Properties): void {
    const record = records[type].get(id)
    if (!record) throw new Error(`there is no ${type} ${id}`)
    record.properties = { ...record.properties, ...given }
    record.history.push({ at: now(), properties: record.properties })
    note(type, record)
  }

  /** By the id, or by a unique property: both see every write immediately. */
  function lookUp(type: HubspotType, id: string, idProperty: string | undefined): HubspotRecord | undefined {
    if (!idProperty) return records[type].get(id)
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

  function run(type: HubspotType, what: string, body: unknown): SandboxResponse {
    if (what === 'search')
      return search(
        type,
        body as { filterGroups: { filters: Filter[] }[]; properties: string[]; limit?: number; after?: string },
      )
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
    const results = found.flatMap((record) => (record ? [shown(record, record.properties, wanted)] : []))
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
  function search(
    type: HubspotType,
    {
      filterGroups,
      properties: wanted,
      limit = 10,
      after = '0',
    }: { filterGroups: { filters: Filter[] }[]; properties: string[]; limit?: number; after?: string },
  ): SandboxResponse {
    if (limit > 200) return refuse(400, 'VALIDATION_ERROR', 'limit must be at most 200')
    const horizon = now() - searchLagMs
    const matching = [...records[type].values()].flatMap((record) => {
      const seen = record.history.findLast(({ at }) => at <= horizon)
      return seen && filterGroups.some(({ filters }) => filters.every((filter) => holds(filter, seen.properties)))
        ? [shown(record, seen.properties, wanted)]
        : []
    })
    const from = Number(after)
    const results = matching.slice(from, from + limit)
    const next = from + limit < matching.length ? { paging: { next: { after: String(from + limit) } } } : {}
    return answer(200, { total: matching.length, results, ...next })
  }

  function associate(body: unknown): SandboxResponse {
    const { inputs } = body as { inputs: { from: { id: string }; to: { id: string } }[] }
    const good = inputs.filter(({ from, to }) => records.contacts.has(from.id) && records.companies.has(to.id))
    for (const { from, to } of good) associations.add(`${from.id} ${to.id}`)
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

  return { run, associate, insert, change }
}

function holds({ propertyName, operator, value, values }: Filter, properties: Properties): boolean {
  const held = properties[propertyName]?.toLowerCase()
  if (held === undefined) return false
  if (operator === 'EQ') return held === value?.toLowerCase()
  return operator === 'IN' && (values ?? []).some((one) => one.toLowerCase() === held)
}

function shown({ id, createdAt }: HubspotRecord, properties: Properties, wanted: string[]) {
  const picked = Object.fromEntries(
    [...wanted, 'hs_object_id', 'createdate'].map((name) => [name, properties[name] || null]),
  )
  return {
    id,
    properties: picked,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date().toISOString(),
    archived: false,
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
