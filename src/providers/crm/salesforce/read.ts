import { Type } from 'typebox'
import type { ResponseHeaders } from '../../../outbound/exchange.ts'
import type { CrmCall, CrmReply } from '../vendor/call.ts'
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

/** Sends a request to a path of the organization. */
type Send = (
  method: CrmCall['method'],
  path: string,
  json?: unknown,
  options?: Pick<CrmCall, 'headers'>,
) => Promise<CrmReply>
type Options = { send: Send; data: string; callsLeft: CrmReader['callsLeft'] }

const SOBJECTS: Record<PulledObject, string> = { company: 'Account', contact: 'Contact', deal: 'Opportunity' }
/** The fields to read, where the organization has them and the user sees them. */
const COLUMNS: Record<PulledObject, string[]> = {
  company: [
    ...['Name', 'Website', 'NumberOfEmployees', 'Industry', 'BillingCountry', 'Description', 'Type'],
    ...['IsPersonAccount', 'OwnerId', 'MasterRecordId'],
  ],
  contact: [
    ...['AccountId', 'FirstName', 'LastName', 'Email', 'Title', 'Phone', 'MailingCountry'],
    ...['OwnerId', 'MasterRecordId'],
  ],
  deal: [
    ...['Name', 'AccountId', 'StageName', 'Amount', 'CurrencyIsoCode', 'IsClosed', 'IsWon'],
    ...['CloseDate', 'CreatedDate', 'OwnerId'],
  ],
}
const ALWAYS = ['Id', 'SystemModstamp', 'IsDeleted']
const ROLES = 'OpportunityContactRoles'
/** Descriptions have up to 32,000 characters, so that the usual 2,000 accounts may exceed any limit of a response. */
const SMALL_PAGES = { headers: { 'sforce-query-options': 'batchSize=200' } }
/** Changed contact roles in one page: the ids of their opportunities have to fit in a URL. */
const ROLES_PAGE = 300
/** A transaction may become visible minutes after the modification date of its records. */
const OVERLAP_MS = 10 * 60_000
/** There is no standard field for the reason of a lost opportunity; most organizations add one. */
const LOST_REASON = /\b(loss|lost)\b.*\breasons?\b|\breasons?\b.*\b(loss|lost)\b|\bclosed lost\b/i

const Page = responseShape(Type.Object({ records: Type.Array(Type.Unknown()), nextRecordsUrl: Maybe(Type.String()) }))
const Row = responseShape(Type.Object({ Id: Type.String({ maxLength: LENGTHS.id }) }))
const Roles = responseShape(
  Type.Object({
    records: Type.Array(Type.Record(Type.String(), Type.Unknown())),
    nextRecordsUrl: Maybe(Type.String()),
  }),
)
const Description = responseShape(
  Type.Object({
    fields: Type.Array(
      Type.Object({ name: Type.String(), label: Maybe(Type.String()), custom: Maybe(Type.Boolean()) }),
    ),
    childRelationships: Maybe(Type.Array(Type.Object({ relationshipName: Maybe(Type.String()) }))),
  }),
)

type Row = { Id: string } & Record<string, unknown>
type Columns = { names: string[]; lostReason: string | null; hasRoles: boolean }

/**
 * Records are read by modification date and id, deleted and merged ones included, so that the first read and later
 * changes are the same query and a changed record is found again at its new date. Then follow the contact roles that
 * changed, since they do not change their opportunity.
 */
type Position = {
  phase: 'records' | 'roles'
  /** The last record that was read; null at the beginning. */
  at: string | null
  id: string | null
  /** The rest of a query that the server still has; when it has expired, a new query continues after the last record. */
  more: string | null
  /** Where this round began; null for the first. */
  since: string | null
  /** Where the next round begins: before this one did, by the clock of Salesforce; null until its first response. */
  mark: string | null
}
const PHASES = ['records', 'roles'] satisfies Position['phase'][]
const START: Position = { phase: 'records', at: null, id: null, more: null, since: null, mark: null }

export function createReader({ send, data, callsLeft }: Options): CrmReader {
  const described = Object.fromEntries(
    PULLED_OBJECTS.map((object) => [object, readOnce(() => describe(object))]),
  ) as Record<PulledObject, () => Promise<Columns | null>>
  const query = (soql: string, resource: 'query' | 'queryAll' = 'queryAll', options = {}) =>
    send('GET', `${data}/${resource}?q=${encodeURIComponent(soql)}`, undefined, options)

  /** The fields of an object; null when the user may not read it. */
  async function describe(object: PulledObject): Promise<Columns | null> {
    const reply = await send('GET', `${data}/sobjects/${SOBJECTS[object]}/describe`).catch(ifUnreadable(null))
    if (!reply) return null
    const { fields, childRelationships } = Description.read(reply.body, LABEL)
    const seen = new Set(fields.map(({ name }) => name))
    const reason = fields.find(
      ({ name, label, custom }) =>
        custom && (LOST_REASON.test(label ?? '') || LOST_REASON.test(name.replaceAll('_', ' '))),
    )
    const lostReason = object === 'deal' ? (reason?.name ?? null) : null
    return {
      names: [...ALWAYS, ...COLUMNS[object].filter((name) => seen.has(name)), ...(lostReason ? [lostReason] : [])],
      lostReason,
      hasRoles: (childRelationships ?? []).some(({ relationshipName }) => relationshipName === ROLES),
    }
  }

  async function missingRights(): Promise<string[]> {
    const unreadable: string[] = []
    for (const object of PULLED_OBJECTS) if (!(await described[object]())) unreadable.push(SOBJECTS[object])
    const users = await query('SELECT Id FROM User LIMIT 1', 'query').catch(ifUnreadable(null))
    if (!users) unreadable.push('User')
    return unreadable.map(
      (sobject) =>
        `${LABEL} does not let the connected user read the object ${sobject}: give the user the "Read" permission on it.`,
    )
  }

  async function listOwners(): Promise<PulledOwner[] | null> {
    const soql = "SELECT Id, Name, Email, IsActive FROM User WHERE UserType = 'Standard'"
    const reply = await query(soql, 'query').catch(ifUnreadable(null))
    if (!reply) return null
    return (await allRows(reply)).map(({ Id, Name, Email, IsActive }) => ({
      id: Id,
      name: pulled.text(Name, 'name'),
      email: pulled.text(Email, 'email'),
      is_active: isTrue(IsActive),
    }))
  }

  /** The rows of all pages of a query. */
  async function allRows(first: CrmReply): Promise<Row[]> {
    const all: Row[] = []
    const pages = eachPage(LABEL, async (next) => pageOf(next === null ? first : await send('GET', next)))
    for await (const { rows } of pages) all.push(...rows)
    return all
  }

  /** Adds the contact roles of opportunities that have more than a page of them. */
  async function withAllRoles(rows: Row[]): Promise<Row[]> {
    const complete: Row[] = []
    for (const row of rows) {
      const { records, nextRecordsUrl } = Roles.find(row[ROLES]) ?? {}
      const more = nextRecordsUrl ? await allRows(await send('GET', onHost(nextRecordsUrl))) : []
      complete.push(more.length > 0 ? { ...row, [ROLES]: { records: [...(records ?? []), ...more] } } : row)
    }
    return complete
  }

  async function readPage<O extends PulledObject>(
    object: O,
    position: string | null,
  ): Promise<PulledPage<PulledOf[O]>> {
    const columns = await described[object]()
    if (!columns) return unreadablePage(position)
    const at = parsePullPosition<Position>(position, PHASES) ?? START
    try {
      return at.phase === 'roles' ? await readRoles(columns, at) : await readRecords(object, columns, at)
    } catch (error) {
      if (!(error instanceof CrmError) || error.kind !== 'schema') throw error
      // The next run reads the description of the object again.
      throw new CrmError('busy', `${LABEL} hid a field while it was read.`, { status: error.status, cause: error })
    }
  }

  async function readRecords<O extends PulledObject>(
    object: O,
    columns: Columns,
    at: Position,
  ): Promise<PulledPage<PulledOf[O]>> {
    const options = object === 'company' ? SMALL_PAGES : {}
    const reply =
      (await rest(at, options)) ?? (await query(`${select(object, columns)}${after(at)}`, 'queryAll', options))
    const { rows: found, next: more } = pageOf(reply)
    requireAnotherPage(LABEL, at.more, more)
    const rows = object === 'deal' ? await withAllRoles(found) : found
    const mark = at.mark ?? new Date(vendorTime(reply.headers) - OVERLAP_MS).toISOString()
    const records = rows.filter(({ IsDeleted, IsPersonAccount }) => !isTrue(IsDeleted) && !isTrue(IsPersonAccount))
    const gone = rows
      .filter(({ IsDeleted }) => isTrue(IsDeleted))
      .map(({ Id, MasterRecordId }) => ({ id: Id, merged_into: pulled.text(MasterRecordId, 'id') }))
    const page = { records: records.map((row) => convert(object, row, columns)), gone }
    if (more) return { ...page, ...notLast({ ...at, ...reached(at, rows), more, mark }) }
    // The first read has the roles with their opportunities, so those before its beginning are known.
    if (object === 'deal' && columns.hasRoles)
      return { ...page, ...notLast({ ...at, phase: 'roles', at: at.since ?? mark, id: null, more: null, mark }) }
    return { ...page, ...endOf(mark) }
  }

  async function readRoles<O extends PulledObject>(columns: Columns, at: Position): Promise<PulledPage<PulledOf[O]>> {
    const reply = await query(
      `SELECT Id, OpportunityId, SystemModstamp FROM OpportunityContactRole${after(at)} LIMIT ${ROLES_PAGE}`,
    )
    const rows = await allRows(reply)
    const ids = [...new Set(rows.flatMap(({ OpportunityId }) => pulled.text(OpportunityId, 'id') ?? []))]
    const records: PulledOf[O][] = []
    const valid = ids.filter((id) => /^\w{15,18}$/.test(id)).map((id) => `'${id}'`)
    if (valid.length > 0) {
      const found = await allRows(await query(`${select('deal', columns)} WHERE Id IN (${valid.join(', ')})`, 'query'))
      records.push(...(await withAllRoles(found)).map((row) => convert('deal', row, columns) as PulledOf[O]))
    }
    const page = { records, gone: [] }
    if (rows.length < ROLES_PAGE) return { ...page, ...endOf(at.mark ?? at.at ?? new Date(0).toISOString()) }
    return { ...page, ...notLast({ ...at, ...reached(at, rows) }) }
  }

  /** The next page of a query that the server still has; null when it has expired. */
  async function rest({ more }: Position, options: Pick<CrmCall, 'headers'>): Promise<CrmReply | null> {
    if (!more) return null
    return send('GET', more, undefined, options).catch((error: unknown) => {
      if (!(error instanceof CrmError) || error.kind !== 'refused') throw error
      return null
    })
  }

  return { missingRights, listOwners, readPage, callsLeft }
}

function select(object: PulledObject, { names, hasRoles }: Columns): string {
  const roles = object === 'deal' && hasRoles ? `, (SELECT Id, ContactId, IsPrimary, IsDeleted FROM ${ROLES})` : ''
  return `SELECT ${names.join(', ')}${roles} FROM ${SOBJECTS[object]}`
}

function after({ at, id }: Position): string {
  const order = ' ORDER BY SystemModstamp, Id'
  if (at === null) return order
  if (id === null) return ` WHERE SystemModstamp >= ${at}${order}`
  return ` WHERE SystemModstamp >= ${at} AND (SystemModstamp > ${at} OR Id > '${id}')${order}`
}

/** The last record that has a date and a proper id. */
function reached({ at, id }: Position, rows: Row[]): Pick<Position, 'at' | 'id'> {
  for (const row of rows.toReversed()) {
    const modified = pulled.instant(row.SystemModstamp)
    if (modified && /^\w{15,18}$/.test(row.Id)) return { at: modified, id: row.Id }
  }
  return { at, id }
}

function notLast(position: Position): { position: string; is_last: false } {
  return { position: JSON.stringify(position), is_last: false }
}

function endOf(mark: string): { position: string; is_last: true } {
  return { position: JSON.stringify({ ...START, at: mark, since: mark } satisfies Position), is_last: true }
}

function pageOf({ body }: CrmReply): { rows: Row[]; next: string | null } {
  const { records, nextRecordsUrl } = Page.read(body, LABEL)
  const rows = records.flatMap((record) => (Row.find(record) as Row | null) ?? [])
  return { rows, next: nextRecordsUrl ? onHost(nextRecordsUrl) : null }
}

/** The request for the next page carries the token, so it must not leave Salesforce. */
function onHost(path: string): string {
  if (path.startsWith('/services/') && path.length <= LENGTHS.url) return path
  throw new CrmError('refused', `${LABEL} gave an address for the next page that is not on its host.`)
}

function convert<O extends PulledObject>(object: O, row: Row, columns: Columns): PulledOf[O] {
  if (object === 'company') return companyOf(row) as PulledOf[O]
  return (object === 'contact' ? contactOf(row) : dealOf(row, columns)) as PulledOf[O]
}

function recordOf({ Id, SystemModstamp, OwnerId }: Row) {
  const modified_at = pulled.instant(SystemModstamp) ?? new Date(0).toISOString()
  return { id: Id, modified_at, owner_id: pulled.text(OwnerId, 'id'), merged_ids: [] }
}

function companyOf(row: Row): PulledCompany {
  return {
    ...recordOf(row),
    name: pulled.text(row.Name, 'name') ?? `Account ${row.Id}`,
    website: pulled.text(row.Website, 'url'),
    employees: pulled.integer(row.NumberOfEmployees),
    industry: pulled.text(row.Industry, 'short'),
    country: pulled.text(row.BillingCountry, 'short'),
    description: pulled.text(row.Description, 'long'),
    ...customerState(pulled.text(row.Type, 'short') ?? ''),
  }
}

function contactOf(row: Row): PulledContact {
  return {
    ...recordOf(row),
    company_id: pulled.text(row.AccountId, 'id'),
    first_name: pulled.text(row.FirstName, 'short'),
    last_name: pulled.text(row.LastName, 'short'),
    email: pulled.text(row.Email, 'email'),
    title: pulled.text(row.Title, 'name'),
    phone: pulled.text(row.Phone, 'short'),
    country: pulled.text(row.MailingCountry, 'short'),
  }
}

function dealOf(row: Row, { lostReason }: Columns): PulledDeal {
  const roles = (Roles.find(row[ROLES])?.records ?? [])
    .filter(({ IsDeleted }) => !isTrue(IsDeleted))
    .toSorted((a, b) => Number(isTrue(b.IsPrimary)) - Number(isTrue(a.IsPrimary)))
  const isWon = isTrue(row.IsWon)
  const amount = pulled.amount(row.Amount)
  return {
    ...recordOf(row),
    name: pulled.text(row.Name, 'name') ?? `Opportunity ${row.Id}`,
    company_id: pulled.text(row.AccountId, 'id'),
    contact_ids: [...new Set(roles.flatMap(({ ContactId }) => pulled.text(ContactId, 'id') ?? []))],
    stage: pulled.text(row.StageName, 'short'),
    amount,
    // An organization with a single currency has no such field.
    currency: amount === null ? null : pulled.text(row.CurrencyIsoCode, 'currency'),
    is_closed: isTrue(row.IsClosed) || isWon,
    is_won: isWon,
    lost_reason: lostReason ? pulled.text(row[lostReason], 'long') : null,
    closes_on: pulled.day(row.CloseDate),
    opened_on: pulled.day(row.CreatedDate),
  }
}

/** `Sforce-Limit-Info: api-usage=18/5000`. */
export function readCallsLeft(headers: ResponseHeaders): { left: number; limit: number } | null {
  const [, used, limit] = /api-usage=(\d+)\/(\d+)/.exec(String(headers['sforce-limit-info'] ?? '')) ?? []
  if (!used || !limit) return null
  return { left: Math.max(0, Number(limit) - Number(used)), limit: Number(limit) }
}

/** Replaces the error of an object that the user may not read by a value; Salesforce words it in several ways. */
function ifUnreadable<T>(value: T): (error: unknown) => T {
  return (error) => {
    const isRefused =
      error instanceof CrmError && (error.kind === 'refused' || (error.kind === 'auth' && error.status === 403))
    if (!isRefused) throw error
    return value
  }
}
