import type { Static } from 'typebox'
import type { Deps } from '../../deps/deps.ts'
import { type CrmProvider, crmVendor } from '../../providers/crm/registry.ts'
import {
  type Crm,
  CrmError,
  type CrmObject,
  FIXED_FIELDS,
  type FieldMapping,
  type FieldName,
  fieldType,
  OWNED_FIELDS,
  SHARED_FIELDS,
  type VendorField,
} from '../../providers/crm/vendor/types.ts'
import { AppError, type ErrorDetail } from '../../shared/errors.ts'
import type { Viewer } from '../../shared/member.ts'
import { connectedCrms } from './channel.ts'
import type { CrmMapping, MappedObject, PreviewedRecord, SetCrmMapping } from './mapping-schema.ts'
import { listPreviewIds, saveFieldMapping } from './mapping-store.ts'
import { missingFields, withoutMissing } from './missing-targets.ts'
import { storeConnectionProblem } from './push-batch.ts'
import { type CrmRecord, readCompanies, readCrmRecords, toSyncItem } from './records.ts'
import { type OpenCrm, openCrm } from './session.ts'
import { findCrmLinks } from './store.ts'
import { isShared, isSharedByDefault, previewRecords, type RecordDecision } from './sync.ts'

type Parts = Pick<Deps, 'db' | 'outbound' | 'secrets' | 'config' | 'crmClients' | 'now'>
type Mapping = Static<typeof CrmMapping>
type Given = Static<typeof SetCrmMapping>
type Previewed = Static<typeof PreviewedRecord>

/** The caller waits for the CRM. */
const TIME_LIMIT_MS = 30_000
const PREVIEWED = 10

const OBJECT: Record<MappedObject, CrmObject> = { companies: 'company', contacts: 'contact' }
const MAPPED_OBJECTS = Object.entries(OBJECT) as [MappedObject, CrmObject][]

const fieldsOf = (object: CrmObject): FieldName[] => [...SHARED_FIELDS[object], ...OWNED_FIELDS[object]]

/** Which field of the CRM each field is written to, and those it could be. Throws crm_not_connected, unavailable. */
export function readMapping(parts: Parts, workspaceId: string, provider: CrmProvider): Promise<Mapping> {
  return withCrm(parts, workspaceId, provider, async ({ crm }) =>
    describeMapping(crm, provider, await listAllFields(crm)),
  )
}

type AllFields = Record<CrmObject, VendorField[]>

const listAllFields = async (crm: Crm): Promise<AllFields> => ({
  company: await crm.listFields('company'),
  contact: await crm.listFields('contact'),
})

function describeMapping(crm: Crm, provider: CrmProvider, all: AllFields): Mapping {
  const { maxLengths } = crmVendor(provider)
  const describe = (object: CrmObject) => {
    const available = all[object].flatMap(({ type, ...field }) => (type ? [{ ...field, type }] : []))
    const missing = missingFields(crm, object, all[object])
    const fields = fieldsOf(object).map((field) => ({
      field,
      type: fieldType(field),
      max_length: maxLengths[field] ?? null,
      target: crm.targets[object][field] ?? null,
      default_target: crm.defaultTargets[object][field] ?? null,
      is_fixed: FIXED_FIELDS[object].has(field),
      is_missing: missing.includes(field),
      is_shared_by_default: isSharedByDefault(object, field),
      is_shared: isShared(crm, object, field),
    }))
    return { fields, available: available.toSorted((a, b) => a.label.localeCompare(b.label)) }
  }
  return { provider, companies: describe('company'), contacts: describe('contact') }
}

/**
 * Replaces the mapping after checking it against the fields of the CRM. Throws crm_not_connected, invalid_request,
 * invalid_transition, unavailable.
 */
export function changeMapping(
  parts: Parts,
  workspaceId: string,
  provider: CrmProvider,
  given: Given,
): Promise<Mapping> {
  return withCrm(parts, workspaceId, provider, async (target) => {
    const all = await listAllFields(target.crm)
    const mapping = checkMapping(target, given, all)
    if (!(await saveFieldMapping(parts.db, workspaceId, target, mapping)))
      throw new AppError(
        'invalid_transition',
        `The records of another account of ${target.crm.label} are still kept. Remove them first.`,
      )
    return describeMapping(target.withMapping(mapping).crm, provider, all)
  })
}

/**
 * The changes of the defaults in a requested mapping. A stored target that the CRM no longer has may stay, so that another
 * field can be changed. Throws invalid_request.
 */
function checkMapping({ crm, provider, mapping: stored }: OpenCrm, given: Given, all: AllFields): FieldMapping {
  const mapping: FieldMapping = {}
  const details: ErrorDetail[] = []
  for (const [name, object] of MAPPED_OBJECTS) {
    const available = new Map(all[object].map((field) => [field.name, field]))
    const changes: Partial<Record<FieldName, string | null>> = {}
    for (const { field, target } of given[name].fields as { field: FieldName; target: string | null }[]) {
      const isStored = target !== null && stored[object]?.[field] === target
      const message =
        isStored && !available.has(target) ? null : refusalOf(crm, provider, object, field, target, available)
      if (message) details.push({ path: `${name}.${field}`, message })
      else if (target !== (crm.defaultTargets[object][field] ?? null)) changes[field] = target
    }
    const taken = Object.entries({ ...crm.defaultTargets[object], ...changes }).filter(([, target]) => target !== null)
    for (const [field, target] of taken)
      if (field in changes && taken.some(([other, its]) => other !== field && its === target))
        details.push({ path: `${name}.${field}`, message: 'must not be a field that another field is written to' })
    mapping[object] = changes
  }
  const [first] = details
  if (first) throw new AppError('invalid_request', `${first.path} ${first.message}.`, { details })
  return mapping
}

/** Why a field cannot be written there, completing a sentence; null when it can. */
function refusalOf(
  { defaultTargets }: Crm,
  provider: CrmProvider,
  object: CrmObject,
  field: FieldName,
  target: string | null,
  available: ReadonlyMap<string, VendorField>,
): string | null {
  if (!fieldsOf(object).includes(field)) return 'is no field of the service'
  if (target === (defaultTargets[object][field] ?? null)) return null
  if (FIXED_FIELDS[object].has(field)) return 'cannot be changed, because records are found by it'
  if (target === null) return null
  const found = available.get(target)
  const { label, maxLengths } = crmVendor(provider)
  if (!found) return `must be a field of ${label}`
  if (found.type !== fieldType(field)) return `must be a ${fieldType(field)} field that can be written`
  const length = maxLengths[field]
  if (found.max_length !== null && length !== undefined && found.max_length < length)
    return `must be a field for at least ${length} characters`
  return null
}

/**
 * What a push would do with ten records, with the stored mapping or a given one. Writes nothing, neither records nor
 * fields. Throws crm_not_connected, invalid_request, unavailable.
 */
export function previewPush(
  parts: Parts,
  viewer: Viewer,
  provider: CrmProvider,
  object: MappedObject,
  given: Given | undefined,
): Promise<Previewed[]> {
  const { workspace_id } = viewer
  return withCrm(parts, workspace_id, provider, async (target) => {
    if (!given) return previewWith(parts, viewer, target, object)
    const mapping = checkMapping(target, given, await listAllFields(target.crm))
    return previewWith(parts, viewer, target.withMapping(mapping), object)
  })
}

async function previewWith({ db }: Parts, viewer: Viewer, mapped: OpenCrm, what: MappedObject): Promise<Previewed[]> {
  const { workspace_id } = viewer
  const { target, missing } = await withoutMissing(mapped)
  const notWritten = describeMissing(mapped.crm, OBJECT[what], missing[OBJECT[what]])
  const newest = await listPreviewIds(db, workspace_id, what, PREVIEWED)
  const ids = newest.map(({ id }) => id)
  const records = await readCrmRecords(db, viewer, what === 'companies' ? 'accounts' : 'people', ids)
  const decisions = await decideAll({ db }, workspace_id, target, what, [...records.values()])
  return newest.flatMap(({ id, name }) => {
    const decision = decisions.get(id)
    if (!decision) return []
    const described = describeDecision(target.crm, OBJECT[what], decision)
    return [{ id, name, ...described, fields: [...described.fields, ...notWritten] }]
  })
}

function describeMissing({ label, targets }: Crm, object: CrmObject, missing: FieldName[]): Previewed['fields'] {
  const reason = `${label} no longer has this field. Choose another one.`
  return missing.map((field) => ({
    ...{ field, target: targets[object][field] ?? '', action: 'missing', before: null, after: null, reason },
  }))
}

/** Stands for the id of a company that a push would create. */
const NEW_COMPANY = 'new'

async function decideAll(
  { db }: Pick<Parts, 'db'>,
  workspaceId: string,
  target: OpenCrm,
  what: MappedObject,
  records: CrmRecord[],
): Promise<Map<string, RecordDecision>> {
  const preview = async (object: CrmObject, items: CrmRecord[], companyOf: (record: CrmRecord) => string | null) => {
    const ids = items.map(({ id }) => id)
    const links = await findCrmLinks(db, workspaceId, target, object, ids)
    return previewRecords(
      target.crm,
      object,
      items.map((item) => toSyncItem(item, target.provider, companyOf(item))),
      links,
    )
  }
  if (what === 'companies') return preview('company', records, () => null)
  const accountIds = [...new Set(records.map(({ account_id }) => account_id))]
  const atCompanies = await preview('company', await readCompanies(db, workspaceId, accountIds), () => null)
  return preview('contact', records, ({ account_id }) => {
    const decision = atCompanies.get(account_id)
    return (decision && recordIdOf(decision)) ?? NEW_COMPANY
  })
}

function recordIdOf(decision: RecordDecision): string | null {
  if (decision.action === 'nothing') return decision.existing.id
  return decision.action === 'skip' ? null : decision.change.id
}

function describeDecision(crm: Crm, object: CrmObject, decision: RecordDecision): Omit<Previewed, 'id' | 'name'> {
  const fields = decision.fields.map(({ field, theirs, ours, action }) => ({
    field,
    target: crm.targets[object][field] ?? '',
    action,
    before: theirs,
    after: action === 'write' ? ours : theirs,
    reason: action === 'kept' ? `It was filled in ${crm.label}, and the service did not write it.` : null,
  }))
  const { action } = decision
  const isLinkOnly = action === 'update' && !fields.some(({ action }) => action === 'write')
  const message = isLinkOnly ? 'Only the link to the record of the service is added.' : null
  return { action, crm_id: recordIdOf(decision), message: action === 'skip' ? decision.message : message, fields }
}

/** Calls a CRM while the caller waits. Throws crm_not_connected, credential_rejected, unavailable. */
async function withCrm<T>(
  parts: Parts,
  workspaceId: string,
  provider: CrmProvider,
  work: (target: OpenCrm) => Promise<T>,
): Promise<T> {
  await connectedCrms(parts, workspaceId, provider)
  const signal = AbortSignal.timeout(TIME_LIMIT_MS)
  const target = await openCrm(parts, workspaceId, provider, signal)
  if (!target) throw new AppError('crm_not_connected', `${crmVendor(provider).label} was disconnected.`)
  try {
    return await work(target)
  } catch (error) {
    if (!(error instanceof CrmError)) throw error
    await storeConnectionProblem(parts, workspaceId, target, error)
    throw new AppError(error.kind === 'auth' ? 'credential_rejected' : 'unavailable', error.message, { cause: error })
  }
}
