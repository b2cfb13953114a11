import {
  checkRecord,
  describeField,
  type FieldDefinition,
  MERGEABLE,
  type SalesforceRow,
  type SalesforceType,
  type SaveError,
  STAGES,
  STANDARD,
  SYSTEM_FIELDS,
  shapeError,
  TASK_FIELDS,
} from './salesforce-fields.ts'
import { parseSoql, type SoqlRow } from './soql.ts'

/** An error for a whole request. */
export class OrgError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

type Incoming = { attributes: { type: string }; id?: string } & Record<string, unknown>
/** A row of a result, made when its page is read. */
type Found = () => SoqlRow
type SetupRow = { Id: string } & Record<string, unknown>

const PREFIX = {
  Account: '001',
  Contact: '003',
  Opportunity: '006',
  OpportunityContactRole: '00K',
  User: '005',
  Task: '00T',
  PermissionSet: '0PS',
  PermissionSetAssignment: '0Pa',
  FieldPermissions: '01k',
}
const MAX_RECORDS = 200
const PAGE = 2_000
const MAX_CURSORS = 10
let serial = 0

const isTaskField = (name: string) => name === 'Id' || name === 'CreatedDate' || name in TASK_FIELDS
const newId = (type: keyof typeof PREFIX) => `${PREFIX[type]}${String(++serial).padStart(12, '0')}AAA`

/** The state of one organization: records, custom fields and their visibility. */
export function createOrg({ now }: { now: () => number }) {
  const orgId = `00D${String(++serial).padStart(12, '0')}AAA`
  const userId = `005${String(++serial).padStart(12, '0')}AAA`
  const ofEach = <T>(make: () => T): Record<SalesforceType, T> => ({
    Account: make(),
    Contact: make(),
    Opportunity: make(),
    OpportunityContactRole: make(),
  })
  const records = ofEach(() => new Map<string, SalesforceRow>())
  /** Deleted records, which only `queryAll` finds. */
  const bin = ofEach(() => new Map<string, SalesforceRow>())
  const fields = ofEach(() => new Map<string, FieldDefinition>())
  /** Objects that the connected user may not read. */
  const unreadable = new Set<string>()
  const admin = { Id: userId, Name: 'Sandbox Admin', Email: 'admin@sandbox.example' }
  const users = new Map<string, SalesforceRow>([[userId, { ...admin, IsActive: true, UserType: 'Standard' }]])
  /** Results of queries that were not read to their end. */
  const cursors = new Map<string, Found[]>()
  /** Rows by modification date and id, built again after a write. */
  const sorted = new Map<SalesforceType, SalesforceRow[]>()
  /** Rows of OpportunityContactRole by opportunity. */
  const roles = new Map<string, Set<string>>()
  const setup: Record<'PermissionSet' | 'PermissionSetAssignment' | 'FieldPermissions', SetupRow[]> = {
    PermissionSet: [],
    PermissionSetAssignment: [],
    FieldPermissions: [],
  }
  const tasks = new Map<string, SalesforceRow>()
  const index = new Map<string, string>()

  /** A custom field is invisible until a permission set of the user grants access to it. */
  function isVisible(type: SalesforceType, name: string): boolean {
    if (SYSTEM_FIELDS.includes(name) || name in STANDARD[type]) return true
    if (name === 'MasterRecordId') return MERGEABLE.includes(type)
    if (!fields[type].has(name)) return false
    const mine = setup.PermissionSetAssignment.filter(({ AssigneeId }) => AssigneeId === userId)
    return setup.FieldPermissions.some(
      ({ Field, ParentId, PermissionsRead }) =>
        Field === `${type}.${name}` &&
        PermissionsRead === true &&
        mine.some(({ PermissionSetId }) => PermissionSetId === ParentId),
    )
  }

  function requireVisible(type: SalesforceType, names: string[]): void {
    const hidden = names.find((name) => !isVisible(type, name))
    if (hidden) throw new OrgError(400, 'INVALID_FIELD', `No such column '${hidden}' on sobject of type ${type}`)
  }

  function definitions(type: SalesforceType): Map<string, FieldDefinition> {
    return new Map([...Object.entries(STANDARD[type]), ...fields[type]])
  }

  function holder(type: SalesforceType, name: string, value: string): SalesforceRow | undefined {
    const row = records[type].get(index.get(`${type} ${name} ${value.toLowerCase()}`) ?? '')
    return String(row?.[name] ?? '').toLowerCase() === value.toLowerCase() ? row : undefined
  }

  function store(type: SalesforceType, row: SalesforceRow): void {
    records[type].set(row.Id, row)
    sorted.delete(type)
    for (const [name, { unique }] of fields[type]) {
      if (unique && row[name]) index.set(`${type} ${name} ${String(row[name]).toLowerCase()}`, row.Id)
    }
  }

  function insert(type: SalesforceType, values: Record<string, unknown>): string {
    const Id = newId(type)
    const at = now()
    const times = { CreatedDate: new Date(at).toISOString(), SystemModstamp: modstamp(at) }
    const row = { Id, ...times, OwnerId: userId, ...values, IsDeleted: false }
    store(type, type === 'Opportunity' ? staged(row) : row)
    const { OpportunityId } = values
    if (type === 'OpportunityContactRole') {
      const key = String(OpportunityId)
      roles.set(key, (roles.get(key) ?? new Set()).add(Id))
    }
    return Id
  }

  function edit(type: SalesforceType, id: string, values: Record<string, unknown>): void {
    const row = records[type].get(id)
    if (!row) throw new Error(`there is no ${type} ${id}`)
    const changed = { ...row, SystemModstamp: modstamp(now()), ...values }
    store(type, type === 'Opportunity' ? staged(changed) : changed)
  }

  /** Moves a record to the recycle bin, with the records that belong to it. */
  function remove(type: SalesforceType, id: string, MasterRecordId: string | null = null): void {
    const row = records[type].get(id)
    if (!row) return
    records[type].delete(id)
    bin[type].set(id, { ...row, IsDeleted: true, SystemModstamp: modstamp(now()), MasterRecordId })
    sorted.delete(type)
    if (type === 'Opportunity') for (const role of roles.get(id) ?? []) remove('OpportunityContactRole', role)
    if (type === 'Account') {
      for (const contact of childrenOf('Contact', id)) remove('Contact', contact)
      for (const opportunity of childrenOf('Opportunity', id)) remove('Opportunity', opportunity)
    }
  }

  const childrenOf = (type: 'Contact' | 'Opportunity', accountId: string) =>
    [...records[type].values()].filter(({ AccountId }) => AccountId === accountId).map(({ Id }) => Id)

  /** Merges a record into another, which gets what belonged to it. */
  function merge(type: 'Account' | 'Contact', masterId: string, otherId: string): void {
    if (!records[type].has(masterId) || masterId === otherId) throw new Error(`there is no ${type} ${masterId}`)
    if (type === 'Account') {
      for (const contact of childrenOf('Contact', otherId)) edit('Contact', contact, { AccountId: masterId })
      for (const opportunity of childrenOf('Opportunity', otherId))
        edit('Opportunity', opportunity, { AccountId: masterId })
    } else {
      for (const { Id, ContactId } of [...records.OpportunityContactRole.values()])
        if (ContactId === otherId) edit('OpportunityContactRole', Id, { ContactId: masterId })
    }
    remove(type, otherId, masterId)
    edit(type, masterId, {})
  }

  function addUser(values: { Name: string; Email: string }): string {
    const Id = newId('User')
    users.set(Id, { Id, IsActive: true, UserType: 'Standard', ...values })
    return Id
  }

  function check(type: SalesforceType, values: Record<string, unknown>, self: string | null): SaveError | null {
    const wrong = checkRecord(
      type,
      definitions(type),
      values,
      self === null,
      (name, value) => holder(type, name, value),
      self,
    )
    if (wrong) return wrong
    const { AccountId } = values
    if (typeof AccountId !== 'string' || records.Account.has(AccountId)) return null
    return { statusCode: 'INVALID_CROSS_REFERENCE_KEY', message: 'invalid cross reference id', fields: ['AccountId'] }
  }

  function prepare(type: SalesforceType, incoming: Incoming[]): void {
    if (!Array.isArray(incoming) || incoming.length > MAX_RECORDS)
      throw new OrgError(400, 'INVALID_INPUT', 'too many records')
    for (const { attributes, id, ...values } of incoming) {
      if (attributes?.type !== type) throw new OrgError(400, 'INVALID_INPUT', 'attributes.type is missing')
      requireVisible(type, Object.keys(values))
    }
  }

  function upsert(type: SalesforceType, external: string, incoming: Incoming[]) {
    prepare(type, incoming)
    if (!definitions(type).get(external)?.externalId)
      throw new OrgError(404, 'NOT_FOUND', `${external} is no external id`)
    return incoming.map(({ attributes, id, ...values }) => {
      const there = holder(type, external, String(values[external]))
      const wrong = check(type, values, there?.Id ?? null)
      if (wrong) return { success: false, errors: [wrong] }
      if (there) edit(type, there.Id, values)
      return { id: there?.Id ?? insert(type, values), success: true, created: !there, errors: [] }
    })
  }

  function update(incoming: Incoming[]) {
    return incoming.map((one) => {
      const type = one.attributes.type as SalesforceType
      prepare(type, [one])
      const { attributes, id = '', ...values } = one
      const there = records[type].get(id)
      if (!there) {
        const gone = { statusCode: 'ENTITY_IS_DELETED', message: 'entity is deleted', fields: [] }
        return { id, success: false, errors: [gone] }
      }
      const wrong = check(type, values, id)
      if (wrong) return { id, success: false, errors: [wrong] }
      edit(type, id, values)
      return { id, success: true, errors: [] }
    })
  }

  /** Status, priority and owner have defaults. */
  function createTask(values: Record<string, unknown>) {
    for (const [name, value] of Object.entries(values)) {
      const field = TASK_FIELDS[name]
      if (!field) throw new OrgError(400, 'INVALID_FIELD', `No such column '${name}' on sobject of type Task`)
      const wrong = value === null ? null : shapeError(name, value, field)
      if (wrong) throw new OrgError(400, wrong.statusCode, wrong.message)
    }
    for (const [name, rows] of [
      ['WhatId', records.Account],
      ['WhoId', records.Contact],
      ['OwnerId', users],
    ] as const) {
      const id = values[name] ?? null
      if (id !== null && !rows.has(String(id)))
        throw new OrgError(400, 'INVALID_CROSS_REFERENCE_KEY', `${name}: invalid cross reference id: ${id}`)
    }
    const Id = newId('Task')
    const defaults = { Status: 'Not Started', Priority: 'Normal', OwnerId: userId }
    tasks.set(Id, { Id, CreatedDate: new Date(now()).toISOString(), ...defaults, ...values })
    return { id: Id, success: true, errors: [] }
  }

  /** With deleted rows, a query also finds those in the recycle bin. */
  function query(soql: string, withDeleted = false) {
    let parsed: ReturnType<typeof parseSoql>
    try {
      parsed = parseSoql(soql)
    } catch (error) {
      throw new OrgError(400, 'MALFORMED_QUERY', (error as Error).message)
    }
    const { object, matches, names, sort, children } = parsed
    const rows = rowsOf(parsed, withDeleted)
    if (object in records) requireVisible(object as SalesforceType, [...parsed.fields, ...names])
    if (children && (children.relation !== 'OpportunityContactRoles' || unreadable.has('OpportunityContactRole')))
      throw new OrgError(400, 'INVALID_TYPE', `Didn't understand relationship '${children.relation}' in FROM part.`)
    const unknown = [...parsed.fields, ...names].find((name) => object === 'Task' && !isTaskField(name))
    if (unknown) throw new OrgError(400, 'INVALID_FIELD', `No such column '${unknown}' on sobject of type Task`)
    const long = names.find((name) => object === 'Task' && TASK_FIELDS[name]?.type === 'LongTextArea')
    if (long) throw new OrgError(400, 'INVALID_FIELD', `field '${long}' can not be filtered in a query call`)
    const found = sort(rows.filter(matches)).map((row) => () => shown(row, parsed))
    return pageOf(found, 0, `01g${String(++serial).padStart(12, '0')}AAA`)
  }

  /** A page of a result; the rest stays readable at `nextRecordsUrl` until it expires. */
  function pageOf(found: Found[], from: number, cursor: string) {
    const end = from + PAGE
    const records = found.slice(from, end).map((row) => row())
    if (end >= found.length) {
      cursors.delete(cursor)
      return { totalSize: found.length, done: true, records }
    }
    cursors.delete(cursor)
    cursors.set(cursor, found)
    const [oldest] = cursors.keys()
    if (cursors.size > MAX_CURSORS && oldest) cursors.delete(oldest)
    const nextRecordsUrl = `/services/data/v67.0/query/${cursor}-${end}`
    return { totalSize: found.length, done: false, nextRecordsUrl, records }
  }

  function queryMore(locator: string) {
    const [cursor = '', from] = locator.split('-')
    const found = cursors.get(cursor)
    if (!found) throw new OrgError(400, 'INVALID_QUERY_LOCATOR', 'invalid query locator')
    return pageOf(found, Number(from), cursor)
  }

  function shown(row: SoqlRow, { object, fields, children }: ReturnType<typeof parseSoql>): SoqlRow {
    const result: SoqlRow = { attributes: { type: object } }
    for (const name of fields) result[name] = row[name] ?? null
    if (!children) return result
    const related = [...(roles.get(String(row.Id)) ?? [])].flatMap((id) => {
      const role = records.OpportunityContactRole.get(id) ?? bin.OpportunityContactRole.get(id)
      return role ? [Object.fromEntries(children.fields.map((name) => [name, role[name] ?? null]))] : []
    })
    result[children.relation] = related.length > 0 ? { totalSize: related.length, done: true, records: related } : null
    return result
  }

  function rowsOf({ object, isByModification, modifiedSince }: ReturnType<typeof parseSoql>, withDeleted: boolean) {
    if (unreadable.has(object)) throw new OrgError(400, 'INVALID_TYPE', `sObject type '${object}' is not supported.`)
    if (object === 'Organization') return [{ Id: orgId }]
    if (object in records) {
      const type = object as SalesforceType
      const rows = isByModification ? byModification(type, modifiedSince) : [...records[type].values()]
      return withDeleted && isByModification
        ? rows
        : withDeleted
          ? [...rows, ...bin[type].values()]
          : rows.filter(isLive)
    }
    if (object === 'Task') return [...tasks.values()]
    if (object === 'User') return [...users.values()]
    if (object in setup) return setup[object as keyof typeof setup]
    throw new OrgError(400, 'INVALID_TYPE', `sObject type '${object}' is not supported.`)
  }

  /** Rows with the deleted ones, sorted by modification date and id, of those changed since. */
  function byModification(type: SalesforceType, since: number | null): SalesforceRow[] {
    const key = ({ SystemModstamp, Id }: SalesforceRow) => `${SystemModstamp} ${Id}`
    let all = sorted.get(type)
    if (!all) {
      const keyed = [...records[type].values(), ...bin[type].values()].map((row) => ({ row, key: key(row) }))
      keyed.sort((a, b) => (a.key < b.key ? -1 : 1))
      all = keyed.map(({ row }) => row)
      sorted.set(type, all)
    }
    if (since === null) return all
    const from = modstamp(since)
    let [low, high] = [0, all.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (String(all[middle]?.SystemModstamp) >= from) high = middle
      else low = middle + 1
    }
    return all.slice(low)
  }

  function describe(type: SalesforceType) {
    if (unreadable.has(type)) throw new OrgError(404, 'NOT_FOUND', 'The requested resource does not exist')
    const names = [...SYSTEM_FIELDS, 'MasterRecordId', ...definitions(type).keys()].filter((name) =>
      isVisible(type, name),
    )
    const relations = type === 'Opportunity' && !unreadable.has('OpportunityContactRole')
    return {
      name: type,
      queryable: true,
      fields: names.map((name) => ({
        ...{ name, label: name, custom: name.endsWith('__c') },
        ...describeField(definitions(type).get(name)),
      })),
      childRelationships: relations
        ? [{ childSObject: 'OpportunityContactRole', relationshipName: 'OpportunityContactRoles' }]
        : [],
    }
  }

  /** Adds a custom field that every user sees, as an administrator does. */
  function addField(type: SalesforceType, name: string, definition: FieldDefinition & { label: string }): void {
    fields[type].set(name, definition)
    const shared = setup.PermissionSet.find(({ Name }) => Name === 'Everyone') ?? {
      ...{ Id: newId('PermissionSet'), Name: 'Everyone' },
    }
    if (!setup.PermissionSet.includes(shared)) {
      setup.PermissionSet.push(shared)
      const Id = newId('PermissionSetAssignment')
      setup.PermissionSetAssignment.push({ Id, PermissionSetId: shared.Id, AssigneeId: userId })
    }
    const granted = { ParentId: shared.Id, Field: `${type}.${name}`, PermissionsRead: true }
    setup.FieldPermissions.push({ Id: newId('FieldPermissions'), ...granted })
  }

  function createField({ FullName, Metadata }: { FullName: string; Metadata: FieldDefinition & { label: string } }) {
    const [type, name] = FullName.split('.') as [SalesforceType, string]
    if (fields[type].has(name)) {
      const message = `There is already a field named ${name.replace(/__c$/, '')} on ${type}.`
      throw new OrgError(400, 'DUPLICATE_DEVELOPER_NAME', message)
    }
    if (!Metadata.label || (Metadata.type === 'Text' && !Metadata.length))
      throw new OrgError(400, 'FIELD_INTEGRITY_EXCEPTION', 'label and length are needed')
    fields[type].set(name, Metadata)
    return { id: `00N${String(++serial).padStart(12, '0')}AAA`, success: true, errors: [] }
  }

  function createSetup(object: 'PermissionSet' | 'PermissionSetAssignment', values: Record<string, unknown>) {
    const taken = setup[object].some((row) =>
      Object.entries(values).every(([name, value]) => name === 'Label' || row[name] === value),
    )
    if (taken) throw new OrgError(400, 'DUPLICATE_DEVELOPER_NAME', 'This developer name is already in use.')
    const Id = newId(object)
    setup[object].push({ Id, ...values })
    return { id: Id, success: true, errors: [] }
  }

  function createPermissions(incoming: Incoming[]) {
    return incoming.map(({ attributes, ...values }) => {
      const [type, name] = String(values.Field).split('.') as [SalesforceType, string]
      if (attributes.type !== 'FieldPermissions' || !fields[type]?.has(name)) {
        const wrong = {
          statusCode: 'INVALID_FIELD',
          message: `bad value for restricted picklist field: ${values.Field}`,
          fields: ['Field'],
        }
        return { success: false, errors: [wrong] }
      }
      const Id = newId('FieldPermissions')
      setup.FieldPermissions.push({ Id, ...values })
      return { id: Id, success: true, errors: [] }
    })
  }

  return {
    orgId,
    userId,
    records,
    bin,
    users,
    unreadable,
    tasks,
    fields,
    isVisible,
    createTask,
    insert,
    edit,
    remove,
    merge,
    addUser,
    addField,
    queryMore,
    expireCursors: () => cursors.clear(),
    upsert,
    update,
    query,
    describe,
    createField,
    createSetup,
    createPermissions,
  }
}

/** Modification dates have seconds. */
function modstamp(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}.000+0000`
}

const isLive = ({ IsDeleted }: SoqlRow) => IsDeleted !== true

function staged(row: SalesforceRow): SalesforceRow {
  return { ...row, ...(STAGES[String(row.StageName)] ?? { IsClosed: false, IsWon: false }) }
}
