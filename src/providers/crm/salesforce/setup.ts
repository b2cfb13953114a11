import { Type } from 'typebox'
import type { CrmCall, CrmReply } from '../vendor/call.ts'
import { Maybe, type ResponseShape, responseShape } from '../vendor/response.ts'
import { CrmError } from '../vendor/types.ts'
import { listFields } from './describe.ts'
import { LABEL, RecordError } from './errors.ts'
import { MANAGED, PERMISSION_SET, SOBJECT } from './fields.ts'
import { type QueryPage, queryPage } from './query-page.ts'

type Request = (method: CrmCall['method'], path: string, json?: unknown) => Promise<CrmReply>
type Query = <T>(shape: ResponseShape<QueryPage<T>>, soql: string) => Promise<T[]>

const Ids = queryPage({ Id: Type.String() })
const FieldPermissions = queryPage({ Field: Type.String() })
const SavedPermissions = responseShape(Type.Array(Type.Object({ errors: Maybe(Type.Array(RecordError)) })))

/**
 * Creates the fields the service manages unless the connected user sees them, and makes them visible: a new field is hidden
 * until a permission set grants it. The set is kept, so that an administrator can assign it to others.
 */
export async function setUp(call: Request, query: Query, userId: () => Promise<string>): Promise<void> {
  const hidden: { sobject: string; name: string }[] = []
  for (const object of ['company', 'contact'] as const) {
    const sobject = SOBJECT[object]
    const seen = new Set((await listFields(call, object)).map(({ name }) => name))
    for (const [name, metadata] of Object.entries(MANAGED[object])) {
      if (seen.has(name)) continue
      const creation = call('POST', '/tooling/sobjects/CustomField', {
        FullName: `${sobject}.${name}`,
        Metadata: metadata,
      })
      await creation.catch(ignoreExisting)
      hidden.push({ sobject, name })
    }
  }
  if (hidden.length === 0) return
  const parent = await permissionSet(call, query)
  await assign(call, query, parent, await userId())
  const granted = await query(FieldPermissions, `SELECT Field FROM FieldPermissions WHERE ParentId = '${parent}'`)
  const known = new Set(granted.map(({ Field }) => Field))
  const records = hidden
    .map(({ sobject, name }) => ({ sobject, field: `${sobject}.${name}` }))
    .filter(({ field }) => !known.has(field))
    .map(({ sobject, field }) => ({
      attributes: { type: 'FieldPermissions' },
      ParentId: parent,
      SobjectType: sobject,
      Field: field,
      PermissionsRead: true,
      PermissionsEdit: true,
    }))
  if (records.length === 0) return
  const reply = await call('POST', '/composite/sobjects', { allOrNone: false, records })
  const errors = SavedPermissions.read(reply.body, LABEL).flatMap(({ errors }) => errors ?? [])
  const failed = errors.find(({ statusCode }) => !/DUPLICATE/.test(statusCode ?? ''))
  if (failed)
    throw new CrmError(
      'refused',
      `The fields of the service could not be made visible in Salesforce: ${failed.message}`,
    )
}

async function permissionSet(call: Request, query: Query): Promise<string> {
  const find = () => query(Ids, `SELECT Id FROM PermissionSet WHERE Name = '${PERMISSION_SET}'`)
  const [there] = await find()
  if (there) return there.Id
  await call('POST', '/sobjects/PermissionSet', { Name: PERMISSION_SET, Label: 'Bellwether' }).catch(ignoreExisting)
  const [made] = await find()
  if (!made) throw new CrmError('refused', 'The permission set of the service could not be made in Salesforce.')
  return made.Id
}

async function assign(call: Request, query: Query, parent: string, userId: string): Promise<void> {
  const [there] = await query(
    Ids,
    `SELECT Id FROM PermissionSetAssignment WHERE PermissionSetId = '${parent}' AND AssigneeId = '${userId}'`,
  )
  if (there) return
  await call('POST', '/sobjects/PermissionSetAssignment', { AssigneeId: userId, PermissionSetId: parent }).catch(
    ignoreExisting,
  )
}

/** A conflict counts as success, because a concurrent worker has created it; Salesforce words it in several ways. */
function ignoreExisting(error: unknown): void {
  if (!(error instanceof CrmError) || !/already (exists|in use|a field)|duplicate/i.test(error.message)) throw error
}
