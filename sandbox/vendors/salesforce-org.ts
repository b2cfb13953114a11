import {
  checkRecord,
  describeField,
  type FieldDefinition,
  type SalesforceRow,
  type SalesforceType,
  type SaveError,
  STANDARD,
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
type SetupRow = { Id: string } & Record<string, unknown>

const PREFIX = {
  Account: '001',
  Contact: '003',
  Task: '00T',
  PermissionSet: '0PS',
  PermissionSetAssignment: '0Pa',
  FieldPermissions: '01k',
}
const MAX_RECORDS = 200
let serial = 0

const isTaskField = (name: string) => name === 'Id' || name === 'CreatedDate' || name in TASK_FIELDS
const newId = (type: keyof typeof PREFIX) => `${PREFIX[type]}${String(++serial).padStart(12, '0')}AAA`

/** The state of one organization: records, custom fields and their visibility. */
export function createOrg() {
  const orgId = `00D${String(++serial).padStart(12, '0')}AAA`
  const userId = `005${String(++serial).padStart(12, '0')}AAA`
  const records = { Account: new Map<string, SalesforceRow>(), Contact: new Map<string, SalesforceRow>() }
  const fields = { Account: new Map<string, FieldDefinition>(), Contact: new Map<string, FieldDefinition>() }
  const setup: Record<'PermissionSet' | 'PermissionSetAssignment' | 'FieldPermissions', SetupRow[]> = {
    PermissionSet: [],
    PermissionSetAssignment: [],
    FieldPermissions: [],
  }
  const tasks = new Map<string, SalesforceRow>()
  const index = new Map<string, string>()

  /** A custom field is invisible until a permission set of the user grants access to it. */
  function isVisible(type: SalesforceType, name: string): boolean {
    if (name === 'Id' || name === 'CreatedDate' || name in STANDARD[type]) return true
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
    for (const [name, { unique }] of fields[type]) {
      if (unique && row[name]) index.set(`${type} ${name} ${String(row[name]).toLowerCase()}`, row.Id)
    }
  }

  function insert(type: SalesforceType, values: Record<string, unknown>): string {
    const Id = newId(type)
    store(type, { Id, CreatedDate: new Date().toISOString(), ...values })
    return Id
  }

  function edit(type: SalesforceType, id: string, values: Record<string, unknown>): void {
    const row = records[type].get(id)
    if (!row) throw new Error(`there is no ${type} ${id}`)
    store(type, { ...row, ...values })
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
    ] as const) {
      const id = values[name] ?? null
      if (id !== null && !rows.has(String(id)))
        throw new OrgError(400, 'INVALID_CROSS_REFERENCE_KEY', `${name}: invalid cross reference id: ${id}`)
    }
    const Id = newId('Task')
    const defaults = { Status: 'Not Started', Priority: 'Normal', OwnerId: userId }
    tasks.set(Id, { Id, CreatedDate: new Date().toISOString(), ...defaults, ...values })
    return { id: Id, success: true, errors: [] }
  }

  function query(soql: string) {
    let parsed: ReturnType<typeof parseSoql>
    try {
      parsed = parseSoql(soql)
    } catch (error) {
      throw new OrgError(400, 'MALFORMED_QUERY', (error as Error).message)
    }
    const { object, matches, names, sort } = parsed
    const rows = rowsOf(object)
    if (object in records) requireVisible(object as SalesforceType, [...parsed.fields, ...names])
    const unknown = [...parsed.fields, ...names].find((name) => object === 'Task' && !isTaskField(name))
    if (unknown) throw new OrgError(400, 'INVALID_FIELD', `No such column '${unknown}' on sobject of type Task`)
    const long = names.find((name) => object === 'Task' && TASK_FIELDS[name]?.type === 'LongTextArea')
    if (long) throw new OrgError(400, 'INVALID_FIELD', `field '${long}' can not be filtered in a query call`)
    const found = sort(rows.filter(matches)).map((row) => ({
      attributes: { type: object },
      ...Object.fromEntries(parsed.fields.map((name) => [name, row[name] ?? null])),
    }))
    return { totalSize: found.length, done: true, records: found }
  }

  function rowsOf(object: string): SoqlRow[] {
    if (object === 'Organization') return [{ Id: orgId }]
    if (object in records) return [...records[object as SalesforceType].values()]
    if (object === 'Task') return [...tasks.values()]
    if (object in setup) return setup[object as keyof typeof setup]
    throw new OrgError(400, 'INVALID_TYPE', `sObject type '${object}' is not supported.`)
  }

  function describe(type: SalesforceType) {
    const names = ['Id', 'CreatedDate', ...definitions(type).keys()].filter((name) => isVisible(type, name))
    return {
      name: type,
      fields: names.map((name) => ({
        name,
        ...describeField(definitions(type).get(name)),
        custom: name.endsWith('__c'),
      })),
    }
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
    tasks,
    fields,
    isVisible,
    createTask,
    insert,
    edit,
    upsert,
    update,
    query,
    describe,
    createField,
    createSetup,
    createPermissions,
  }
}
