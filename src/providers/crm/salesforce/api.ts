import { Type } from 'typebox'
import type { Pace } from '../../../outbound/pacing.ts'
import { type CrmCall, callCrm, chunks } from '../vendor/call.ts'
import { applyMapping } from '../vendor/mapping.ts'
import { Maybe, type ResponseShape, responseShape } from '../vendor/response.ts'
import {
  type Crm,
  type CrmAccess,
  CrmError,
  type CrmObject,
  type ExistingRecord,
  type FieldMapping,
  type LookupBy,
  type RecordChange,
  type WriteResult,
} from '../vendor/types.ts'
import { logActivity } from './activities.ts'
import { listFields } from './describe.ts'
import { classifyResponse, LABEL, problemOf, RecordError } from './errors.ts'
import { FIELDS, fromRecord, KEY, PROFILE_URL, type SalesforceRow, SOBJECT, toRecord } from './fields.ts'
import { type QueryPage, queryPage } from './query-page.ts'
import { createReader, readCallsLeft } from './read.ts'
import { setUp } from './setup.ts'

const DATA = '/services/data/v67.0'
const COLLECTION = 200
/** A query is a URL of at most 16,384 characters; one composite call contains up to five. */
const MAX_QUERY = 12_000
const QUERIES = 5

/** Salesforce has no limit by second, only a daily one and one of concurrent calls. */
const paceOf = (vendorAccount: string): Pace => ({
  kind: `${LABEL} ${vendorAccount}`,
  intervalMs: 10,
  burst: 10,
  concurrency: 8,
})

const CompositeResponse = responseShape(
  Type.Object({
    compositeResponse: Type.Array(Type.Object({ body: Type.Unknown(), httpStatusCode: Type.Integer() })),
  }),
)
const Organizations = queryPage({ Id: Type.String() })
/** The other fields of a row may be of any type: `fromRecord` converts them to text. */
const FoundRecords = queryPage({ Id: Type.String() }) as ResponseShape<QueryPage<SalesforceRow>>
const UserInfo = responseShape(Type.Object({ user_id: Maybe(Type.String()) }))
const SavedRecords = responseShape(
  Type.Array(
    Type.Object({
      id: Maybe(Type.String()),
      success: Type.Boolean(),
      created: Maybe(Type.Boolean()),
      errors: Maybe(Type.Array(RecordError)),
    }),
  ),
)

type CallOptions = Partial<Pick<CrmCall, 'classify' | 'creates' | 'headers'>>

function client(access: CrmAccess) {
  const pace = paceOf(access.session.vendorAccount)
  return (method: CrmCall['method'], path: string, json?: unknown, options: CallOptions = {}) =>
    callCrm(access, { method, path, json, classify: classifyResponse, label: LABEL, pace, ...options })
}

export function open(access: CrmAccess, mapping: FieldMapping = {}): Crm {
  const targets = applyMapping(FIELDS, mapping)
  let callsLeft: ReturnType<Crm['reader']['callsLeft']> = null
  const request = client(access)
  const send: typeof request = async (...given) => {
    const reply = await request(...given)
    callsLeft = readCallsLeft(reply.headers) ?? callsLeft
    return reply
  }
  const call = (method: CrmCall['method'], path: string, json?: unknown, options?: CallOptions) =>
    send(method, DATA + path, json, options)

  async function query<T>(shape: ResponseShape<QueryPage<T>>, soql: string, options?: CallOptions): Promise<T[]> {
    const reply = await call('GET', `/query?q=${encodeURIComponent(soql)}`, undefined, options)
    return readPages(shape, reply.body)
  }

  async function readPages<T>(shape: ResponseShape<QueryPage<T>>, body: unknown): Promise<T[]> {
    const { records, nextRecordsUrl } = shape.read(body, LABEL)
    if (!nextRecordsUrl) return records
    // The request for the next page carries the token, so it must not leave Salesforce.
    if (!nextRecordsUrl.startsWith('/services/'))
      throw new CrmError('refused', `${LABEL} gave an address for the next page that is not on its host.`)
    return [...records, ...(await readPages(shape, (await send('GET', nextRecordsUrl)).body))]
  }

  /** Sends several queries in few calls. */
  async function queryAll<T>(shape: ResponseShape<QueryPage<T>>, all: string[]): Promise<T[]> {
    const rows: T[] = []
    for (const part of chunks(all, QUERIES)) {
      const compositeRequest = part.map((soql, at) => ({
        method: 'GET',
        url: `${DATA}/query?q=${encodeURIComponent(soql)}`,
        referenceId: `q${at}`,
      }))
      const reply = await call('POST', '/composite', { allOrNone: false, compositeRequest })
      const { compositeResponse } = CompositeResponse.read(reply.body, LABEL)
      for (const { body, httpStatusCode: status } of compositeResponse) {
        const response = classifyResponse({ status, headers: {}, body })
        if (response.is === 'error') throw new CrmError(response.kind, response.message, { status })
        if (response.is !== 'ok') throw new CrmError('busy', `${LABEL} cannot respond at the moment.`, { status })
        rows.push(...(await readPages(shape, body)))
      }
    }
    return rows
  }

  async function userId(): Promise<string> {
    const { user_id } = UserInfo.read((await send('GET', '/services/oauth2/userinfo')).body, LABEL)
    if (!user_id || !/^\w{15,18}$/.test(user_id))
      throw new CrmError('refused', `${LABEL} did not state who is connected.`)
    return user_id
  }

  async function find(
    object: CrmObject,
    by: LookupBy,
    values: string[],
    present?: ReadonlySet<string>,
  ): Promise<ExistingRecord[]> {
    if (present && !present.has(LOOKUP_FIELD[by])) return []
    const names = ['Id', KEY, ...Object.values(targets[object])].filter((name) => !present || present.has(name))
    if (object === 'contact') names.push('AccountId')
    const select = `SELECT ${names.join(', ')} FROM ${SOBJECT[object]} WHERE `
    const found: ExistingRecord[] = []
    // Oldest first, so that of two matching records the same is chosen every time.
    for (const row of await queryAll(
      FoundRecords,
      conditions(by, values).map((where) => `${select}${where} ORDER BY CreatedDate, Id`),
    )) {
      const company_id = typeof row.AccountId === 'string' ? row.AccountId : null
      const key = typeof row[KEY] === 'string' ? row[KEY] : null
      found.push({ id: row.Id, key, company_id, values: fromRecord(targets[object], row) })
    }
    return found
  }

  async function write(object: CrmObject, changes: RecordChange[]): Promise<WriteResult[]> {
    const type = SOBJECT[object]
    const written: WriteResult[] = []
    const recordOf = ({ values, company_id }: RecordChange) => ({
      attributes: { type },
      ...toRecord(targets[object], values),
      ...(object === 'contact' && company_id ? { AccountId: company_id } : {}),
    })
    const updates = changes.filter(({ id }) => id !== null)
    const creations = changes.filter(({ id }) => id === null)
    for (const part of chunks(updates, COLLECTION)) {
      const records = part.map((change) => ({
        ...recordOf(change),
        id: change.id,
        ...(change.writeKey ? { [KEY]: change.key } : {}),
      }))
      written.push(...(await save(object, part, '/composite/sobjects', records)))
    }
    for (const part of chunks(creations, COLLECTION)) {
      const records = part.map((change) => ({ ...recordOf(change), [KEY]: change.key }))
      written.push(...(await save(object, part, `/composite/sobjects/${type}/${KEY}`, records)))
    }
    return written
  }

  /** The results are in the order of the records. */
  async function save(
    object: CrmObject,
    changes: RecordChange[],
    path: string,
    records: object[],
  ): Promise<WriteResult[]> {
    const saved = SavedRecords.read((await call('PATCH', path, { allOrNone: false, records })).body, LABEL)
    return changes.map(({ key, id: target }, at): WriteResult => {
      const result = saved[at]
      const id = result?.id ?? target
      if (result?.success && id) return { key, ok: true, id, created: result.created ?? false }
      return { key, ok: false, ...problemOf(targets[object], result?.errors?.[0] ?? {}) }
    })
  }

  return {
    label: LABEL,
    targets,
    defaultTargets: FIELDS,
    listFields: (object) => listFields(call, object),
    prepare: () => setUp(call, query, userId),
    find,
    write,
    logActivity: (activity) => logActivity(call, query, activity),
    reader: createReader({ send, data: DATA, callsLeft: () => callsLeft }),
  }
}

const LOOKUP_FIELD: Record<LookupBy, string> = {
  id: 'Id',
  key: KEY,
  email: 'Email',
  profile_url: PROFILE_URL,
  domain: 'Website',
}

/** Splits the values into conditions, so that each query fits its URL. */
function conditions(by: LookupBy, values: string[]): string[] {
  const name = LOOKUP_FIELD[by]
  const terms = (by === 'domain' ? values.flatMap(spellings) : values).map((value) => `'${escaped(value)}'`)
  const parts: string[][] = [[]]
  let length = 0
  for (const term of terms) {
    length += encodeURIComponent(term).length + 10
    if (length > MAX_QUERY) {
      parts.push([])
      length = encodeURIComponent(term).length
    }
    parts.at(-1)?.push(term)
  }
  return parts.filter((part) => part.length > 0).map((part) => `${name} IN (${part.join(', ')})`)
}

/** The usual spellings of a URL. A substring search for the domain would scan all accounts. */
function spellings(domain: string): string[] {
  return ['', 'http://', 'https://'].flatMap((scheme) =>
    ['', 'www.'].flatMap((www) => ['', '/'].map((slash) => scheme + www + domain + slash)),
  )
}

/** Escapes a text for a literal of SOQL. */
function escaped(value: string): string {
  return value.replaceAll(/[\\']/g, '\\$&')
}

/** Tests the credential and returns its organization. */
export async function identify(access: CrmAccess): Promise<string> {
  const send = client(access)
  // Through the API: signing in does not imply the right to use it.
  const reply = await send('GET', `${DATA}/query?q=${encodeURIComponent('SELECT Id FROM Organization')}`)
  const [organization] = Organizations.read(reply.body, LABEL).records
  if (!organization) throw new CrmError('refused', `${LABEL} did not state which organization is connected.`)
  return organization.Id
}
