import type { SandboxRequest, SandboxResponse, Vendor } from '../types.ts'
import { crmPage } from './crm-page.ts'
import { type Fault, type Recorded, takeFault } from './hubspot.ts'
import { createOauthServer, type OauthServer } from './oauth.ts'
import type { FieldDefinition, SalesforceRow, SalesforceType } from './salesforce-fields.ts'
import { createOrg, OrgError } from './salesforce-org.ts'

const DATA = /^\/services\/data\/v\d+\.0/

export type Salesforce = Vendor & {
  orgId: string
  instanceUrl: string
  oauth: OauthServer
  records: Record<SalesforceType, Map<string, SalesforceRow>>
  users: Map<string, SalesforceRow>
  /** Objects that the connected user may not read, such as `Opportunity`; empty at first. */
  unreadable: Set<string>
  tasks: Map<string, SalesforceRow>
  /** All custom fields, and those visible to the connected user. */
  fields: Record<SalesforceType, Map<string, FieldDefinition>>
  visible: (type: SalesforceType, name: string) => boolean
  calls: Recorded[]
  /** A page with the contents. */
  page: () => SandboxResponse
  fail: (...faults: Fault[]) => void
  /** Clears the faults that have not happened yet. */
  drop: () => void
  edit: (type: SalesforceType, id: string, values: Record<string, unknown>) => void
  /** Adds a record as a user does; `CreatedDate` and `SystemModstamp` may be given. */
  add: (type: SalesforceType, values: Record<string, unknown>) => string
  addUser: (user: { Name: string; Email: string }) => string
  /** Adds a custom field that every user sees, as an administrator does. */
  addField: (type: SalesforceType, name: string, definition: FieldDefinition & { label: string }) => void
  /** Moves a record to the recycle bin. */
  delete: (type: SalesforceType, id: string) => void
  /** Merges the second record into the first. */
  merge: (type: 'Account' | 'Contact', masterId: string, otherId: string) => void
  /** Ends the queries that were not read to their end. */
  expireCursors: () => void
  /** Starts the daily limit again. */
  startDay: () => void
}

type Options = {
  /** Requests per day. */
  dailyLimit?: number
  tokens?: readonly string[]
  client?: { id: string; secret: string }
  tokenSeconds?: number
  org?: string
  /** The minimum latency of every response, as over a real network. */
  latencyMs?: number
  keepCalls?: boolean
  /** The clock of the vendor: of modification dates and of the `Date` header. */
  now?: () => number
}

type Subrequest = { method: string; url: string; referenceId: string }

let orgs = 0

/**
 * Salesforce's REST and Tooling API at its real hosts: records with opportunities, collections, queries in pages, deleted
 * and merged records, custom fields and their visibility, limits, OAuth.
 */
export function createSalesforce({
  dailyLimit = 100_000,
  tokens = ['sandbox-token'],
  client = { id: 'sandbox-client', secret: 'sandbox-secret' },
  tokenSeconds = 7200,
  org = `sandbox-${++orgs}`,
  latencyMs = 0,
  keepCalls = true,
  now = Date.now,
}: Options = {}): Salesforce {
  const instanceUrl = `https://${org}.my.salesforce.com`
  const state = createOrg({ now })
  const oauth = createOauthServer({
    client,
    seconds: tokenSeconds,
    // Responses do not state when a session expires.
    sayExpiry: false,
    extra: {
      instance_url: instanceUrl,
      id: `https://login.salesforce.com/id/${state.orgId}/${state.userId}`,
      scope: 'api id refresh_token',
    },
    now,
  })
  for (const token of tokens) oauth.allow(token)
  const faults: Fault[] = []
  const calls: Recorded[] = []
  let used = 0

  async function answer(request: SandboxRequest): Promise<SandboxResponse> {
    const { url, method, body } = request
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs))
    if (url.pathname === '/services/oauth2/authorize') return oauth.authorize(request)
    if (method === 'GET' && url.pathname === '/') return page()
    const isToken = url.pathname === '/services/oauth2/token'
    const given = isToken ? Object.fromEntries(new URLSearchParams(body)) : body ? (JSON.parse(body) as unknown) : null
    const fault = takeFault(faults, url.pathname)
    const result = fault && !fault.isCarriedOut ? fault.answer : respond(request, given)
    if (keepCalls) calls.push({ method, path: url.pathname + url.search, body: given, status: result.status })
    const sent = fault?.answer ?? result
    return { ...sent, headers: { date: new Date(now()).toUTCString(), ...sent.headers } }
  }

  function respond(request: SandboxRequest, body: unknown): SandboxResponse {
    const { url, method, headers } = request
    if (url.pathname === '/services/oauth2/token') return oauth.token(request)
    const token = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
    if (!token || !oauth.isGood(token))
      return json(401, [{ message: 'Session expired or invalid', errorCode: 'INVALID_SESSION_ID' }])
    if (++used > dailyLimit)
      return json(403, [{ message: 'TotalRequests Limit exceeded.', errorCode: 'REQUEST_LIMIT_EXCEEDED' }])
    let result: SandboxResponse
    try {
      result = route(method, url, body)
    } catch (error) {
      if (!(error instanceof OrgError)) throw error
      result = json(error.status, [{ message: error.message, errorCode: error.code }])
    }
    return { ...result, headers: { ...result.headers, 'sforce-limit-info': `api-usage=${used}/${dailyLimit}` } }
  }

  function route(method: string, url: URL, body: unknown): SandboxResponse {
    if (url.pathname === '/services/oauth2/userinfo') {
      return json(200, {
        user_id: state.userId,
        organization_id: state.orgId,
        preferred_username: 'admin@sandbox.example',
      })
    }
    if (!DATA.test(url.pathname)) return notFound()
    const path = url.pathname.replace(DATA, '')
    if (method === 'GET' && path === '/query') return json(200, state.query(url.searchParams.get('q') ?? ''))
    if (method === 'GET' && path === '/queryAll') return json(200, state.query(url.searchParams.get('q') ?? '', true))
    const locator = /^\/query\/([\w-]+)$/.exec(path)?.[1]
    if (method === 'GET' && locator) return json(200, state.queryMore(locator))
    if (method === 'POST' && path === '/composite') return composite(body as { compositeRequest: Subrequest[] })
    const described = /^\/sobjects\/(Account|Contact|Opportunity)\/describe$/.exec(path)?.[1]
    if (method === 'GET' && described) return json(200, state.describe(described as SalesforceType))
    if (method === 'POST' && path === '/tooling/sobjects/CustomField')
      return json(201, state.createField(body as never))
    const single = /^\/sobjects\/(PermissionSet|PermissionSetAssignment)$/.exec(path)?.[1]
    if (method === 'POST' && single) return json(201, state.createSetup(single as 'PermissionSet', body as never))
    if (method === 'POST' && path === '/sobjects/Task') return json(201, state.createTask(body as never))
    const upsert = /^\/composite\/sobjects\/(Account|Contact)\/(\w+)$/.exec(path)
    const { records } = (body ?? {}) as { records: never[] }
    if (method === 'PATCH' && upsert)
      return json(200, state.upsert(upsert[1] as SalesforceType, upsert[2] as string, records))
    if (method === 'PATCH' && path === '/composite/sobjects') return json(200, state.update(records))
    if (method === 'POST' && path === '/composite/sobjects') return json(200, state.createPermissions(records))
    return notFound()
  }

  /** Each part has a separate response; the whole counts as one request. */
  function composite({ compositeRequest }: { compositeRequest: Subrequest[] }): SandboxResponse {
    const tooMany =
      compositeRequest.length > 25 || compositeRequest.filter(({ url }) => url.includes('/query')).length > 5
    if (tooMany) throw new OrgError(400, 'LIMIT_EXCEEDED', 'The number of subrequests exceeds the maximum.')
    const compositeResponse = compositeRequest.map(({ method, url, referenceId }) => {
      try {
        const { status, body = 'null' } = route(method, new URL(url, instanceUrl), null)
        return { body: JSON.parse(String(body)) as unknown, httpHeaders: {}, httpStatusCode: status, referenceId }
      } catch (error) {
        if (!(error instanceof OrgError)) throw error
        const body = [{ message: error.message, errorCode: error.code }]
        return { body, httpHeaders: {}, httpStatusCode: error.status, referenceId }
      }
    })
    return json(200, { compositeResponse })
  }

  function page(): SandboxResponse {
    return crmPage('Salesforce sandbox', [
      { title: 'Accounts', rows: [...state.records.Account.values()] },
      { title: 'Contacts', rows: [...state.records.Contact.values()] },
      { title: 'Opportunities', rows: [...state.records.Opportunity.values()] },
      { title: 'Tasks', rows: [...state.tasks.values()] },
    ])
  }

  return {
    name: 'salesforce',
    hosts: ['login.salesforce.com', 'test.salesforce.com', '*.my.salesforce.com'],
    answer,
    orgId: state.orgId,
    instanceUrl,
    oauth,
    records: state.records,
    users: state.users,
    unreadable: state.unreadable,
    tasks: state.tasks,
    fields: state.fields,
    visible: state.isVisible,
    calls,
    page,
    fail: (...more) => void faults.push(...more),
    drop: () => void faults.splice(0),
    edit: state.edit,
    add: state.insert,
    addUser: state.addUser,
    addField: state.addField,
    delete: (type, id) => state.remove(type, id),
    merge: state.merge,
    expireCursors: state.expireCursors,
    startDay: () => {
      used = 0
    },
  }
}

function notFound(): SandboxResponse {
  return json(404, [{ message: 'The requested resource does not exist', errorCode: 'NOT_FOUND' }])
}

function json(status: number, body: object): SandboxResponse {
  return { status, headers: { 'content-type': 'application/json;charset=UTF-8' }, body: JSON.stringify(body) }
}
