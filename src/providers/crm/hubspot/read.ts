import { Type } from 'typebox'
import { type CrmCall, type CrmReply, chunks } from '../vendor/call.ts'
import {
  customerState,
  eachPage,
  isTrue,
  LENGTHS,
  parsePullPosition,
  pulled,
  readOnce,
  requireAnotherPage,
  unreadablePage,
  vendorTime,
} from '../vendor/pulled.ts'
import { Maybe, responseShape } from '../vendor/response.ts'
import {
  CrmError,
  type CrmReader,
  PULLED_OBJECTS,
  type PulledCompany,
  type PulledContact,
  type PulledDeal,
  type PulledObject,
  type PulledOf,
  type PulledOwner,
  type PulledPage,
} from '../vendor/types.ts'
import { LABEL } from './errors.ts'
import { API_VERSION, BATCH } from './limits.ts'
import { type RateLimits, searchPace } from './rate-limits.ts'

type Call = (
  method: CrmCall['method'],
  path: string,
  json?: unknown,
  options?: Partial<Pick<CrmCall, 'pace'>>,
) => Promise<CrmReply>

const TYPES: Record<PulledObject, string> = { company: 'companies', contact: 'contacts', deal: 'deals' }
/** What deals are associated with. */
const RELATED = ['company', 'contact'] as const
const MODIFIED: Record<PulledObject, string> = {
  company: 'hs_lastmodifieddate',
  contact: 'lastmodifieddate',
  deal: 'hs_lastmodifieddate',
}
const common = ['hubspot_owner_id', 'hs_merged_object_ids']
const READ_PROPERTIES: Record<PulledObject, string[]> = {
  company: [
    ...['name', 'domain', 'website', 'numberofemployees', 'industry', 'country', 'description', 'lifecyclestage'],
    ...[MODIFIED.company, ...common],
  ],
  contact: [
    ...['associatedcompanyid', 'firstname', 'lastname', 'email', 'jobtitle', 'phone', 'country'],
    ...[MODIFIED.contact, ...common],
  ],
  deal: [
    ...['dealname', 'dealstage', 'pipeline', 'amount', 'deal_currency_code', 'closedate', 'createdate'],
    ...['hs_is_closed', 'hs_is_closed_won', 'closed_lost_reason', MODIFIED.deal, ...common],
  ],
}
const SCOPES: Record<PulledObject | 'owner', { scope: string; what: string }> = {
  company: { scope: 'crm.objects.companies.read', what: 'companies' },
  contact: { scope: 'crm.objects.contacts.read', what: 'contacts' },
  deal: { scope: 'crm.objects.deals.read', what: 'deals' },
  owner: { scope: 'crm.objects.owners.read', what: 'owners' },
}

const SEARCH_PAGE = 200
const OWNERS_PAGE = 500
/** Changes this old are found by every search: HubSpot only says that a search lags "a few moments" behind. */
const OVERLAP_MS = 10 * 60_000
/** An archive of more pages is read less often, since it cannot be read from a date on: one minute later for each page. */
const ARCHIVE_PAGES = 5

const Id = Type.Union([Type.String({ maxLength: LENGTHS.id }), Type.Integer()])
const After = Type.Union([Type.String({ maxLength: LENGTHS.url }), Type.Integer()])
const paging = Maybe(Type.Object({ next: Maybe(Type.Object({ after: After })) }))
const Page = responseShape(Type.Object({ results: Type.Array(Type.Unknown()), paging }))
const Row = responseShape(
  Type.Object({
    id: Id,
    properties: Type.Record(Type.String(), Type.Unknown()),
    updatedAt: Maybe(Type.Unknown()),
    associations: Maybe(Type.Record(Type.String(), Type.Unknown())),
  }),
)
const RowAssociations = responseShape(
  Type.Object({ results: Type.Array(Type.Object({ id: Id, type: Maybe(Type.String()) })) }),
)
const BatchAssociations = responseShape(
  Type.Object({
    from: Type.Object({ id: Id }),
    to: Type.Array(
      Type.Object({
        toObjectId: Id,
        associationTypes: Maybe(Type.Array(Type.Object({ typeId: Maybe(Type.Integer()) }))),
      }),
    ),
  }),
)
const Owner = responseShape(
  Type.Object({
    id: Id,
    email: Maybe(Type.String()),
    firstName: Maybe(Type.String()),
    lastName: Maybe(Type.String()),
  }),
)
const Pipelines = responseShape(
  Type.Object({
    results: Type.Array(
      Type.Object({
        stages: Type.Array(
          Type.Object({
            id: Type.String(),
            label: Type.String(),
            metadata: Maybe(Type.Record(Type.String(), Type.Unknown())),
          }),
        ),
      }),
    ),
  }),
)
const PropertyOptions = responseShape(
  Type.Object({ options: Type.Array(Type.Object({ label: Type.String(), value: Type.String() })) }),
)
const Details = responseShape(Type.Object({ companyCurrency: Maybe(Type.String()) }))

type Row = { id: string; properties: Record<string, unknown>; modified_at: string; links: Links }
/** The ids of the companies, the primary one first, and of the contacts of a deal. */
type Links = { companies: string[]; contacts: string[] }
type Stage = { label: string; isClosed: boolean; isWon: boolean }

/**
 * First the list of all records, then searches for changes, then the list of archived records.
 *
 * A search continues from the date of the last record and not by an offset: results move while records change, and an
 * offset ends at 10,000. Where more records than a page have the same date, they are read by id.
 */
type Position = {
  phase: 'all' | 'changes' | 'archive'
  after: string | null
  /** The date from which changes are read. */
  since: number
  /** The last id that was read among records of the same date. */
  tie: string | null
  /** Where the next round begins: before this one did, by the clock of HubSpot; null until its first response. */
  mark: number | null
  archive: { pages: number; read_at: number }
  /** Whether deals were read without their companies or contacts, because these may not be read. */
  is_unlinked?: boolean
}
const START: Position = {
  ...{ phase: 'all', after: null, since: 0, tie: null, mark: null, archive: { pages: 0, read_at: 0 } },
}
const PHASES = ['all', 'changes', 'archive'] satisfies Position['phase'][]

export function createReader(call: Call, vendorAccount: string, allowances: RateLimits): CrmReader {
  const unreadable = new Set<PulledObject | 'owner'>()
  const stages = readOnce(readStages)
  const lifecycles = readOnce(lifecycleLabels)
  const currency = readOnce(accountCurrency)

  const objects = (object: PulledObject, what: string) => `/crm/objects/${API_VERSION}/${TYPES[object]}${what}`

  async function missingRights(): Promise<string[]> {
    const missing: string[] = []
    for (const object of [...PULLED_OBJECTS, 'owner'] as const) {
      const path = object === 'owner' ? `/crm/owners/${API_VERSION}?limit=1` : objects(object, '?limit=1')
      const isReadable = await call('GET', path).then(() => true, ifForbidden(false))
      if (isReadable) unreadable.delete(object)
      else {
        unreadable.add(object)
        const { what, scope } = SCOPES[object]
        missing.push(`${LABEL} does not let the connection read ${what}: add the scope ${scope} and connect it again.`)
      }
    }
    return missing
  }

  async function listOwners(): Promise<PulledOwner[] | null> {
    const read = async () => [...(await readOwners(false)), ...(await readOwners(true))]
    return read().catch(ifForbidden(null))
  }

  async function readOwners(isArchived: boolean): Promise<PulledOwner[]> {
    const owners: PulledOwner[] = []
    const pages = eachPage(LABEL, async (after) => {
      const query = new URLSearchParams({ limit: String(OWNERS_PAGE), archived: String(isArchived) })
      if (after !== null) query.set('after', after)
      return pageOf(await call('GET', `/crm/owners/${API_VERSION}?${query}`))
    })
    for await (const { results } of pages) {
      for (const owner of results.map(Owner.find)) {
        if (!owner) continue
        owners.push({
          id: String(owner.id),
          name: pulled.text([owner.firstName, owner.lastName].filter(Boolean).join(' '), 'name'),
          email: pulled.text(owner.email, 'email'),
          is_active: !isArchived,
        })
      }
    }
    return owners
  }

  async function readPage<O extends PulledObject>(
    object: O,
    position: string | null,
  ): Promise<PulledPage<PulledOf[O]>> {
    try {
      return await pageAt(object, position)
    } catch (error) {
      if (!isForbidden(error)) throw error
      // Deals may be readable without the associated records.
      await missingRights()
      if (object !== 'deal' || unreadable.has('deal')) return unreadablePage(position)
      return pageAt(object, position).catch(ifForbidden(unreadablePage(position)))
    }
  }

  async function pageAt<O extends PulledObject>(object: O, position: string | null): Promise<PulledPage<PulledOf[O]>> {
    let at = parsePullPosition<Position>(position, PHASES) ?? START
    if (object === 'deal') {
      const isNewRound = at.mark === null
      if (at.is_unlinked && isNewRound) await missingRights()
      const is_unlinked = relatedTypes().length < RELATED.length
      if (at.is_unlinked && isNewRound && !is_unlinked) at = START
      at = { ...at, is_unlinked: at.is_unlinked || is_unlinked }
    }
    if (at.phase === 'changes') return readChanges(object, at)
    return at.phase === 'archive' ? readArchive(object, at) : readAll(object, at)
  }

  async function readAll<O extends PulledObject>(object: O, at: Position): Promise<PulledPage<PulledOf[O]>> {
    const related = object === 'deal' ? relatedTypes() : []
    const reply = await list(object, at.after, {
      properties: READ_PROPERTIES[object].join(','),
      ...(related.length > 0 ? { associations: related.join(',') } : {}),
    })
    // A record that changes during this read is read again by the changes since its beginning.
    const mark = at.mark ?? vendorTime(reply.headers) - OVERLAP_MS
    const { results, next } = pageOf(reply)
    requireAnotherPage(LABEL, at.after, next)
    const records = await convert(object, rowsOf(object, results))
    const position: Position =
      next === null ? { ...at, phase: 'changes', after: null, since: mark, mark: null } : { ...at, after: next, mark }
    return { records, gone: [], position: JSON.stringify(position), is_last: false }
  }

  async function readChanges<O extends PulledObject>(object: O, at: Position): Promise<PulledPage<PulledOf[O]>> {
    const { since, tie } = at
    const modified = MODIFIED[object]
    const filters =
      tie === null
        ? [{ propertyName: modified, operator: 'GTE', value: String(since) }]
        : [
            { propertyName: modified, operator: 'EQ', value: String(since) },
            { propertyName: 'hs_object_id', operator: 'GT', value: tie },
          ]
    const reply = await call(
      'POST',
      objects(object, '/search'),
      {
        filterGroups: [{ filters }],
        sorts: [{ propertyName: tie === null ? modified : 'hs_object_id', direction: 'ASCENDING' }],
        properties: [modified],
        limit: SEARCH_PAGE,
      },
      { pace: searchPace(vendorAccount) },
    )
    const { results } = pageOf(reply)
    const found = rowsOf(object, results)
    const { records, gone } = await readFound(object, found)
    const vendorNow = vendorTime(reply.headers)
    const round: Position = { ...at, mark: at.mark ?? vendorNow - OVERLAP_MS }
    const next = afterSearch(round, results.length >= SEARCH_PAGE ? found.at(-1) : undefined)
    if (next) return { records, gone, position: JSON.stringify(next), is_last: false }
    const wait = (at.archive.pages - ARCHIVE_PAGES) * 60_000
    if (vendorNow - at.archive.read_at < wait) return { records, gone, ...endOf(round) }
    const archive: Position = { ...round, phase: 'archive', after: null, archive: { pages: 0, read_at: vendorNow } }
    return { records, gone, position: JSON.stringify(archive), is_last: false }
  }

  /** Where the search continues after the last record of a full page; null at its end. */
  function afterSearch(at: Position, last: Row | undefined): Position | null {
    if (!last) return at.tie === null ? null : { ...at, since: at.since + 1, tie: null }
    if (at.tie !== null) return { ...at, tie: last.id }
    const reached = Date.parse(last.modified_at)
    return reached > at.since ? { ...at, since: reached } : { ...at, tie: '0' }
  }

  /** Reads the records themselves: what a search shows of them may be older than what was read before. */
  async function readFound<O extends PulledObject>(object: O, found: Row[]) {
    const rows: Row[] = []
    for (const part of chunks(found, BATCH)) {
      const inputs = part.map(({ id }) => ({ id }))
      const json = { properties: READ_PROPERTIES[object], propertiesWithHistory: [], inputs }
      const reply = await call('POST', objects(object, '/batch/read'), json)
      const read = rowsOf(object, pageOf(reply).results)
      if (object === 'deal' && read.length > 0) await addLinks(read)
      rows.push(...read)
    }
    // The id of a merged record leads to the record that it became.
    const records = await convert(object, [...new Map(rows.map((row) => [row.id, row])).values()])
    const there = new Map(records.flatMap(({ id, merged_ids }) => [id, ...merged_ids].map((one) => [one, id])))
    const missing = found.filter(({ id }) => there.get(id) !== id)
    return { records, gone: missing.map(({ id }) => ({ id, merged_into: there.get(id) ?? null })) }
  }

  async function readArchive<O extends PulledObject>(object: O, at: Position): Promise<PulledPage<PulledOf[O]>> {
    const { results, next } = pageOf(await list(object, at.after, { archived: 'true' }))
    requireAnotherPage(LABEL, at.after, next)
    const gone = rowsOf(object, results).map(({ id }) => ({ id, merged_into: null }))
    const archive = { ...at.archive, pages: at.archive.pages + 1 }
    if (next === null) return { records: [], gone, ...endOf({ ...at, archive }) }
    return { records: [], gone, position: JSON.stringify({ ...at, archive, after: next }), is_last: false }
  }

  /** The position of the next round. */
  function endOf(at: Position): { position: string; is_last: true } {
    const next: Position = { ...at, phase: 'changes', after: null, since: at.mark ?? at.since, tie: null, mark: null }
    return { position: JSON.stringify(next), is_last: true }
  }

  function list(object: PulledObject, after: string | null, more: Record<string, string>): Promise<CrmReply> {
    const query = new URLSearchParams({ limit: String(BATCH), ...(after === null ? {} : { after }), ...more })
    return call('GET', objects(object, `?${query}`))
  }

  function relatedTypes(): ('companies' | 'contacts')[] {
    return RELATED.filter((object) => !unreadable.has(object)).map((object) => TYPES[object] as 'companies')
  }

  async function addLinks(rows: Row[]): Promise<void> {
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const type of relatedTypes()) {
      const inputs = rows.map(({ id }) => ({ id }))
      const path = `/crm/associations/${API_VERSION}/deals/${type}/batch/read`
      const reply = await call('POST', path, { inputs })
      for (const one of pageOf(reply).results.map(BatchAssociations.find)) {
        const row = one ? byId.get(String(one.from.id)) : undefined
        if (!one || !row) continue
        const isPrimary = (types: { typeId?: number | null }[] | null | undefined) =>
          (types ?? []).some(({ typeId }) => typeId === PRIMARY_COMPANY)
        const ordered = one.to.toSorted(
          (a, b) => Number(isPrimary(b.associationTypes)) - Number(isPrimary(a.associationTypes)),
        )
        row.links[type] = [...new Set(ordered.map(({ toObjectId }) => String(toObjectId)))]
      }
    }
  }

  async function convert<O extends PulledObject>(object: O, rows: Row[]): Promise<PulledOf[O][]> {
    if (rows.length === 0) return []
    if (object === 'contact') return rows.map(contactOf) as PulledOf[O][]
    if (object === 'company') {
      const labels = await lifecycles()
      return rows.map((row) => companyOf(row, labels)) as PulledOf[O][]
    }
    const [named, usual] = [await stages(), await currency()]
    return rows.map((row) => dealOf(row, named, usual)) as PulledOf[O][]
  }

  async function readStages(): Promise<Map<string, Stage>> {
    const reply = await call('GET', `/crm/pipelines/${API_VERSION}/deals`).catch(ifForbidden(null))
    const pipelines = reply ? Pipelines.read(reply.body, LABEL).results : []
    return new Map(
      pipelines
        .flatMap((pipeline) => pipeline.stages)
        .map(({ id, label, metadata }) => {
          const isClosed = isTrue(metadata?.isClosed)
          return [id, { label, isClosed, isWon: isClosed && Number(metadata?.probability) === 1 }]
        }),
    )
  }

  /** Accounts add lifecycle stages, such as one for former customers, whose value is a number. */
  async function lifecycleLabels(): Promise<Map<string, string>> {
    const reply = await call('GET', `/crm/properties/${API_VERSION}/companies/lifecyclestage`).catch(ifForbidden(null))
    const options = reply ? (PropertyOptions.find(reply.body)?.options ?? []) : []
    return new Map(options.map(({ value, label }) => [value, label]))
  }

  /** The currency of deals in an account with a single one, where deals do not name it. */
  async function accountCurrency(): Promise<string | null> {
    const reply = await call('GET', `/account-info/${API_VERSION}/details`)
    return pulled.text(Details.find(reply.body)?.companyCurrency, 'currency')
  }

  return { missingRights, listOwners, readPage, callsLeft: () => allowances.callsLeft(vendorAccount) }
}

/** HubSpot's type id of the association of a deal with its primary company. */
const PRIMARY_COMPANY = 5

function pageOf({ body }: CrmReply): { results: unknown[]; next: string | null } {
  const { results, paging } = Page.read(body, LABEL)
  const after = paging?.next?.after
  return { results, next: after === undefined ? null : String(after) }
}

/** The records of a page. One without an id is left out. */
function rowsOf(object: PulledObject, results: unknown[]): Row[] {
  return results.flatMap((result) => {
    const row = Row.find(result)
    if (!row) return []
    const { id, properties, updatedAt, associations } = row
    const modified_at =
      pulled.instant(properties[MODIFIED[object]]) ?? pulled.instant(updatedAt) ?? new Date(0).toISOString()
    const links = { companies: linked(associations?.companies), contacts: linked(associations?.contacts) }
    return [{ id: String(id), properties, modified_at, links }]
  })
}

/** The primary company has an association of its own type in addition to the usual one. */
function linked(associations: unknown): string[] {
  const results = RowAssociations.find(associations)?.results ?? []
  const isPrimary = ({ type }: { type?: string | null }) => Number(type === 'deal_to_company')
  return [...new Set(results.toSorted((a, b) => isPrimary(b) - isPrimary(a)).map(({ id }) => String(id)))]
}

function recordOf({ id, properties, modified_at }: Row) {
  const merged = pulled.text(properties.hs_merged_object_ids, 'long') ?? ''
  return {
    id,
    modified_at,
    owner_id: pulled.text(properties.hubspot_owner_id, 'id'),
    merged_ids: merged.split(';').filter((one) => /^\d+$/.test(one)),
  }
}

function companyOf(row: Row, lifecycles: ReadonlyMap<string, string>): PulledCompany {
  const { properties } = row
  const website = pulled.text(properties.domain, 'url') ?? pulled.text(properties.website, 'url')
  const stage = pulled.text(properties.lifecyclestage, 'short') ?? ''
  const label = lifecycles.get(stage) ?? stage
  return {
    ...recordOf(row),
    name: pulled.text(properties.name, 'name') ?? pulled.text(website, 'name') ?? `Company ${row.id}`,
    website,
    employees: pulled.integer(properties.numberofemployees),
    industry: industryOf(pulled.text(properties.industry, 'short')),
    country: pulled.text(properties.country, 'short'),
    description: pulled.text(properties.description, 'long'),
    // An evangelist is a customer who recommends the product.
    ...customerState(stage === 'evangelist' ? 'Customer' : label),
  }
}

/** HubSpot's industries are constants such as COMPUTER_SOFTWARE. */
function industryOf(industry: string | null): string | null {
  if (!industry || !/^[A-Z]+(_[A-Z]+)*$/.test(industry)) return industry
  const words = industry.replaceAll('_', ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function contactOf(row: Row): PulledContact {
  const { properties } = row
  return {
    ...recordOf(row),
    company_id: pulled.text(properties.associatedcompanyid, 'id'),
    first_name: pulled.text(properties.firstname, 'short'),
    last_name: pulled.text(properties.lastname, 'short'),
    email: pulled.text(properties.email, 'email'),
    title: pulled.text(properties.jobtitle, 'name'),
    phone: pulled.text(properties.phone, 'short'),
    country: pulled.text(properties.country, 'short'),
  }
}

function dealOf(row: Row, stages: ReadonlyMap<string, Stage>, currency: string | null): PulledDeal {
  const { properties, links } = row
  const stageId = pulled.text(properties.dealstage, 'short')
  const stage = stages.get(stageId ?? '')
  const isWon = properties.hs_is_closed_won == null ? (stage?.isWon ?? false) : isTrue(properties.hs_is_closed_won)
  const isClosed = properties.hs_is_closed == null ? (stage?.isClosed ?? false) : isTrue(properties.hs_is_closed)
  const amount = pulled.amount(properties.amount)
  return {
    ...recordOf(row),
    name: pulled.text(properties.dealname, 'name') ?? `Deal ${row.id}`,
    company_id: links.companies[0] ?? null,
    contact_ids: links.contacts,
    stage: pulled.text(stage?.label, 'short') ?? stageId,
    amount,
    currency: amount === null ? null : (pulled.text(properties.deal_currency_code, 'currency') ?? currency),
    is_closed: isClosed || isWon,
    is_won: isWon,
    lost_reason: pulled.text(properties.closed_lost_reason, 'long'),
    closes_on: pulled.day(properties.closedate),
    opened_on: pulled.day(properties.createdate),
  }
}

function isForbidden(error: unknown): boolean {
  return error instanceof CrmError && error.kind === 'auth' && error.status === 403
}

/** Replaces the error of a missing right by a value. */
function ifForbidden<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (!isForbidden(error)) throw error
    return value
  }
}
