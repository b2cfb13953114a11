import { type Static, Type } from 'typebox'
import { type CrmCall, type CrmReply, callCrm, chunks } from '../vendor/call.ts'
import { applyMapping } from '../vendor/mapping.ts'
import { Maybe, type ResponseShape, responseShape } from '../vendor/response.ts'
import {
  type Crm,
  type CrmAccess,
  CrmError,
  type CrmObject,
  type ExistingRecord,
  type FieldMapping,
  type FieldTargets,
  type LookupBy,
  type RecordChange,
  type VendorField,
  type WriteResult,
} from '../vendor/types.ts'
import { logActivity } from './activities.ts'
import {
  classifyResponse,
  type HubspotError,
  isPropertyMissing,
  LABEL,
  PROPERTY_MISSING,
  problemOf,
  readError,
  takenBy,
} from './errors.ts'
import {
  fromProperties,
  GROUP,
  KEY,
  MANAGED,
  PROFILE_URL,
  PROPERTIES,
  propertyType,
  TYPE,
  toProperties,
} from './fields.ts'
import { API_VERSION, BATCH } from './limits.ts'
import { type RateLimits, searchPace } from './rate-limits.ts'
import { createReader } from './read.ts'

const SEARCH_LIMIT = 200

const recordFields = {
  id: Type.String(),
  properties: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()])),
}
type Found = { id: string; properties: Record<string, string | null> }

const FoundRecords = responseShape(
  Type.Object({
    results: Type.Array(Type.Object(recordFields)),
    paging: Maybe(Type.Object({ next: Maybe(Type.Object({ after: Type.String() })) })),
  }),
)

const WrittenBatch = Type.Object({
  results: Type.Array(
    Type.Object({ ...recordFields, new: Maybe(Type.Boolean()), objectWriteTraceId: Maybe(Type.String()) }),
  ),
  errors: Maybe(Type.Array(Type.Unknown())),
})
type WrittenBatch = Static<typeof WrittenBatch>
const WrittenRecords = responseShape(WrittenBatch)

const Associations = responseShape(Type.Object({ errors: Maybe(Type.Array(Type.Unknown())) }))

const Properties = responseShape(
  Type.Object({
    results: Type.Array(
      Type.Object({
        name: Type.String(),
        label: Maybe(Type.String()),
        type: Maybe(Type.String()),
        calculated: Maybe(Type.Boolean()),
        hasUniqueValue: Maybe(Type.Boolean()),
        modificationMetadata: Maybe(Type.Object({ readOnlyValue: Maybe(Type.Boolean()) })),
      }),
    ),
  }),
)

const AccountDetails = responseShape(Type.Object({ portalId: Type.Integer() }))

type Pair = { from: { id: string }; to: { id: string } }
type Failure = { kind: 'refused' | 'busy'; status: number | null; message: string }

function client(access: CrmAccess, allowances: RateLimits) {
  const { vendorAccount } = access.session
  return async (
    method: CrmCall['method'],
    path: string,
    json?: unknown,
    options: Partial<Pick<CrmCall, 'pace' | 'classify' | 'creates'>> = {},
  ): Promise<CrmReply> => {
    const reply = await callCrm(access, {
      method,
      path,
      json,
      classify: classifyResponse,
      label: LABEL,
      pace: allowances.paceOf(vendorAccount),
      ...options,
    })
    allowances.learn(vendorAccount, reply.headers)
    return reply
  }
}

/** Calls HubSpot and returns the body of the response, which must have the shape. */
function reader(call: ReturnType<typeof client>) {
  return async <T>(shape: ResponseShape<T>, ...request: Parameters<typeof call>): Promise<T> =>
    shape.read((await call(...request)).body, LABEL)
}

export function open(access: CrmAccess, allowances: RateLimits, mapping: FieldMapping = {}): Crm {
  const call = client(access, allowances)
  const read = reader(call)
  const targets = applyMapping(PROPERTIES, mapping)
  const objects = (object: CrmObject, what: string) => `/crm/objects/${API_VERSION}/${TYPE[object]}/${what}`

  const propertiesPath = (object: CrmObject) => `/crm/properties/${API_VERSION}/${TYPE[object]}`
  const readProperties = async (object: CrmObject) =>
    (await read(Properties, 'GET', `${propertiesPath(object)}?archived=false`)).results

  async function listFields(object: CrmObject): Promise<VendorField[]> {
    return (await readProperties(object)).map((property) => ({
      name: property.name,
      label: property.label || property.name,
      type: propertyType(property),
      max_length: null,
    }))
  }

  async function prepare(): Promise<void> {
    for (const object of ['company', 'contact'] as const) {
      const path = propertiesPath(object)
      const results = await readProperties(object)
      const there = new Map(results.map((property) => [property.name, property]))
      const missing = MANAGED[object].filter(({ name }) => !there.has(name))
      const plain = MANAGED[object].find(
        ({ name, hasUniqueValue }) => hasUniqueValue && there.get(name)?.hasUniqueValue === false,
      )
      if (plain)
        throw new CrmError(
          'refused',
          `The property ${plain.name} in ${LABEL} must be one with unique values. Delete it there; the service creates it again.`,
        )
      if (missing.length === 0) continue
      await ignoreExisting(call('POST', `${path}/groups`, { name: GROUP, label: 'Bellwether', displayOrder: -1 }))
      for (const property of missing)
        await ignoreExisting(call('POST', path, { ...property, groupName: GROUP, formField: false }))
    }
  }

  async function find(
    object: CrmObject,
    by: LookupBy,
    values: string[],
    present?: ReadonlySet<string>,
  ): Promise<ExistingRecord[]> {
    const properties = [KEY, ...Object.values(targets[object])]
    const idProperty = { id: undefined, key: KEY, email: 'email', profile_url: PROFILE_URL, domain: 'domain' }[by]
    if (idProperty && present && !present.has(idProperty)) return []
    const found: Found[] = []
    for (const part of chunks(values, BATCH)) {
      if (by === 'domain') found.push(...(await search(object, part, properties)))
      else {
        const inputs = part.map((id) => ({ id }))
        const { results } = await read(FoundRecords, 'POST', objects(object, 'batch/read'), {
          ...(idProperty ? { idProperty } : {}),
          properties,
          propertiesWithHistory: [],
          inputs,
        })
        found.push(...results)
      }
    }
    return found.map(({ id, properties }) => ({
      id,
      key: properties[KEY] || null,
      // A contact may have several companies; associating one more removes none.
      company_id: null,
      values: fromProperties(targets[object], properties),
    }))
  }

  /** Oldest first, so that of two records with one domain the same is matched every time. */
  async function search(object: CrmObject, domains: string[], properties: string[]): Promise<Found[]> {
    const found: Found[] = []
    for (let after: string | undefined; ; ) {
      const { results, paging } = await read(
        FoundRecords,
        'POST',
        objects(object, 'search'),
        {
          filterGroups: [{ filters: [{ propertyName: 'domain', operator: 'IN', values: domains }] }],
          sorts: [{ propertyName: 'createdate', direction: 'ASCENDING' }],
          properties,
          limit: SEARCH_LIMIT,
          ...(after ? { after } : {}),
        },
        { pace: searchPace(access.session.vendorAccount) },
      )
      found.push(...results)
      after = paging?.next?.after
      if (!after) return found
    }
  }

  async function write(object: CrmObject, changes: RecordChange[]): Promise<WriteResult[]> {
    const updates = changes.filter(
      ({ id, values, writeKey }) => id !== null && (writeKey || Object.keys(values).length > 0),
    )
    const creations = changes.filter(({ id }) => id === null)
    // The other changes only associate the contact with its company.
    const written: WriteResult[] = changes.flatMap((change) =>
      change.id === null || updates.includes(change)
        ? []
        : [{ key: change.key, ok: true, id: change.id, created: false }],
    )
    for (const part of chunks(updates, BATCH)) {
      const inputOf = ({ id, key, values, writeKey }: RecordChange) => ({
        id,
        objectWriteTraceId: key,
        properties: { ...toProperties(targets[object], values), ...(writeKey ? { [KEY]: key } : {}) },
      })
      written.push(...(await batch(object, 'batch/update', part, inputOf)))
    }
    for (const part of chunks(creations, BATCH)) {
      const inputOf = ({ key, values }: RecordChange) => ({
        id: key,
        idProperty: KEY,
        objectWriteTraceId: key,
        properties: { ...toProperties(targets[object], values), [KEY]: key },
      })
      written.push(...(await batch(object, 'batch/upsert', part, inputOf)))
    }
    return object === 'contact' ? associate(changes, written) : written
  }

  /** Sends changes in one call. When HubSpot refuses all because of one, bisection finds it. */
  async function batch(
    object: CrmObject,
    what: string,
    changes: RecordChange[],
    inputOf: (change: RecordChange) => object,
  ): Promise<WriteResult[]> {
    let body: WrittenBatch
    try {
      body = await read(WrittenRecords, 'POST', objects(object, what), { inputs: changes.map(inputOf) })
    } catch (error) {
      if (!(error instanceof CrmError) || error.kind !== 'refused') throw error
      const { message, status } = error
      if (changes.length === 1) {
        const { key } = changes[0] as RecordChange
        const taken = takenBy(targets[object], message, status)
        if (taken) return [{ key, ok: false, ...taken }]
        return [{ key, ok: false, kind: status === 404 ? 'gone' : 'refused', status, message }]
      }
      const middle = Math.ceil(changes.length / 2)
      return [
        ...(await batch(object, what, changes.slice(0, middle), inputOf)),
        ...(await batch(object, what, changes.slice(middle), inputOf)),
      ]
    }
    return resultsOf(targets[object], changes, body)
  }

  async function associate(changes: RecordChange[], written: WriteResult[]): Promise<WriteResult[]> {
    const companies = new Map(changes.map(({ key, company_id }) => [key, company_id]))
    const pairs = written.flatMap((one) => {
      const to = companies.get(one.key)
      return one.ok && to ? [{ from: { id: one.id }, to: { id: to } }] : []
    })
    const failed = new Map<string, Failure>()
    for (const inputs of chunks(pairs, BATCH)) for (const [id, why] of await associateBatch(inputs)) failed.set(id, why)
    return written.map((one) => {
      const failure = one.ok ? failed.get(one.id) : undefined
      if (!failure) return one
      const message = `It is in ${LABEL}, but not with its company: ${failure.message}`
      return { ...failure, key: one.key, ok: false, message }
    })
  }

  /** Returns failures by contact. When HubSpot refuses all because of one, bisection finds it. */
  async function associateBatch(inputs: Pair[]): Promise<Map<string, Failure>> {
    const failed = new Map<string, Failure>()
    try {
      const path = `/crm/associations/${API_VERSION}/contacts/companies/batch/associate/default`
      const { errors } = await read(Associations, 'POST', path, { inputs })
      for (const error of (errors ?? []).map(readError)) {
        const { message } = problemOf(targets.contact, error)
        // An error that names no record applies to all of them.
        const about = [...(error.context?.fromObjectId ?? []), ...(error.context?.ids ?? [])]
        for (const id of about.length > 0 ? about : inputs.map(({ from }) => from.id))
          failed.set(id, { kind: 'refused', status: 400, message })
      }
      return failed
    } catch (error) {
      if (!(error instanceof CrmError) || (error.kind !== 'refused' && error.kind !== 'busy')) throw error
      const { kind, status, message } = error
      if (kind === 'busy' || inputs.length === 1)
        return new Map(inputs.map(({ from }) => [from.id, { kind, status, message }]))
      const middle = Math.ceil(inputs.length / 2)
      const first = await associateBatch(inputs.slice(0, middle))
      return new Map([...first, ...(await associateBatch(inputs.slice(middle)))])
    }
  }

  return {
    label: LABEL,
    targets,
    defaultTargets: PROPERTIES,
    listFields,
    prepare,
    find,
    write,
    logActivity: (activity) => logActivity(read, activity),
    reader: createReader(call, access.session.vendorAccount, allowances),
  }
}

/** The result of each change, by its trace id, its record id or its key. An error without a record applies to the others. */
function resultsOf(
  targets: FieldTargets[CrmObject],
  changes: RecordChange[],
  { results, ...batch }: WrittenBatch,
): WriteResult[] {
  const errors = (batch.errors ?? []).map(readError)
  const byKey = new Map(changes.map((change) => [change.key, change]))
  const byId = new Map(changes.flatMap((change) => (change.id ? [[change.id, change] as const] : [])))
  const written = new Map<string, WriteResult>()
  for (const { id, objectWriteTraceId, properties, new: created } of results) {
    const change = byKey.get(objectWriteTraceId ?? '') ?? byId.get(id) ?? byKey.get(properties[KEY] ?? '')
    if (change) written.set(change.key, { key: change.key, ok: true, id, created: created ?? false })
  }
  if (errors.some(isPropertyMissing)) throw new CrmError('schema', PROPERTY_MISSING)
  let unnamed: HubspotError | undefined
  for (const error of errors) {
    const { objectWriteTraceId, ids } = error.context ?? {}
    const named = [...(objectWriteTraceId ?? []), ...(ids ?? [])].flatMap(
      (name) => byKey.get(name) ?? byId.get(name) ?? [],
    )
    if (named.length === 0) unnamed = error
    for (const { key } of named) written.set(key, { key, ok: false, ...problemOf(targets, error) })
  }
  return changes.map(({ key }) => {
    const result = written.get(key)
    if (result) return result
    if (unnamed) return { key, ok: false, ...problemOf(targets, unnamed) }
    return { key, ok: false, kind: 'busy', status: null, message: `${LABEL} did not report its result.` }
  })
}

/** A conflict counts as success, because a concurrent worker has created it. */
async function ignoreExisting(creation: Promise<unknown>): Promise<void> {
  await creation.catch((error: unknown) => {
    if (!(error instanceof CrmError) || error.status !== 409) throw error
  })
}

/** Tests the credential and returns its account. */
export async function identify(access: CrmAccess, allowances: RateLimits): Promise<string> {
  const call = client(access, allowances)
  const { portalId } = await reader(call)(AccountDetails, 'GET', `/account-info/${API_VERSION}/details`)
  // A key without access to records would fail at the first push.
  await call('GET', `/crm/objects/${API_VERSION}/contacts?limit=1`)
  return String(portalId)
}
