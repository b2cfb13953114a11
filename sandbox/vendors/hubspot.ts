import { randomUUID } from 'node:crypto'
import type { SandboxRequest, SandboxResponse, Vendor } from '../types.ts'
import { crmPage } from './crm-page.ts'
import {
  type ActivityAnswer,
  createActivities,
  type HubspotActivity,
  type HubspotActivityType,
} from './hubspot-activities.ts'
import { createBatches, nextHubspotId } from './hubspot-batches.ts'
import {
  DEAL_STAGES,
  type DealLinks,
  type Definition,
  type HubspotOwner,
  type HubspotRecord,
  type HubspotType,
  LIFECYCLE_STAGES,
  standardProperties,
} from './hubspot-records.ts'
import { createOauthServer, type OauthServer } from './oauth.ts'
import { RollingWindow } from './rate-limit.ts'

const VERSION = '2026-09'

/** A fault for the next requests whose path matches. */
export type Fault = {
  path: RegExp
  answer: SandboxResponse
  /** The request is carried out and only its answer is lost. */
  isCarriedOut?: boolean
}
export type Recorded = { method: string; path: string; body: unknown; status: number }

export type Hubspot = Vendor & {
  portalId: number
  oauth: OauthServer
  records: Record<HubspotType, Map<string, HubspotRecord>>
  /** `contact company` pairs. */
  associations: Set<string>
  /** The companies and contacts of each deal. */
  dealLinks: Map<string, DealLinks>
  owners: Map<string, HubspotOwner>
  /** Scopes that the keys and tokens do not have, such as `crm.objects.deals.read`; empty at first. */
  missingScopes: Set<string>
  activities: Record<HubspotActivityType, Map<string, HubspotActivity>>
  properties: Record<HubspotType, Map<string, Definition>>
  /** Requests so far, oldest first. */
  calls: Recorded[]
  /** A page with the contents. */
  page: () => SandboxResponse
  fail: (...faults: Fault[]) => void
  /** Clears the faults that have not happened yet. */
  drop: () => void
  /** Delays the next request whose path matches until then. */
  hold: (path: RegExp, until: Promise<void>) => void
  /** Changes a record as a CRM user does. */
  edit: (type: HubspotType, id: string, properties: Record<string, string>) => void
  /** Adds a record as a CRM user does; `createdate` and the modification date may be given. */
  add: (type: HubspotType, properties: Record<string, string>, links?: DealLinks) => string
  addOwner: (owner: Pick<HubspotOwner, 'email' | 'firstName' | 'lastName'>) => string
  /** Replaces the associations of a deal. */
  link: (dealId: string, links: DealLinks) => void
  delete: (type: HubspotType, id: string) => void
  /** Merges the second record into the first; the result has a new id, which is returned. */
  merge: (type: HubspotType, primaryId: string, otherId: string) => string
  /** Starts the daily limit again. */
  startDay: () => void
}

type Options = {
  /** How long a search does not see a write. */
  searchLagMs?: number
  limit?: { calls: number; ms: number }
  /** Requests per day. */
  dailyLimit?: number
  searchesPerSecond?: number
  /** Service keys it accepts. */
  keys?: readonly string[]
  client?: { id: string; secret: string }
  tokenSeconds?: number
  portalId?: number
  /** The minimum latency of every response, as over a real network. */
  latencyMs?: number
  keepCalls?: boolean
  /** The clock of the vendor: of modification dates and of the `Date` header. */
  now?: () => number
}

let portals = 48_000_000

/**
 * HubSpot's API at its real hosts: objects, deals and their pipeline, owners, notes and tasks, properties, associations,
 * search that lags, archived and merged records, scopes, limits, OAuth.
 */
export function createHubspot({
  searchLagMs = 0,
  limit = { calls: 100, ms: 10_000 },
  dailyLimit = 250_000,
  searchesPerSecond = 5,
  keys = ['sandbox-key'],
  client = { id: 'sandbox-client', secret: 'sandbox-secret' },
  tokenSeconds = 1800,
  portalId = ++portals,
  latencyMs = 0,
  keepCalls = true,
  now = Date.now,
}: Options = {}): Hubspot {
  const oauth = createOauthServer({ client, seconds: tokenSeconds, sayExpiry: true, extra: { hub_id: portalId }, now })
  for (const key of keys) oauth.allow(key)
  const window = new RollingWindow(limit.calls, limit.ms)
  const searches = new RollingWindow(searchesPerSecond, 1000)
  const ofEach = <T>(make: (type: HubspotType) => T): Record<HubspotType, T> => ({
    companies: make('companies'),
    contacts: make('contacts'),
    deals: make('deals'),
  })
  const records = ofEach(() => new Map<string, HubspotRecord>())
  const properties = ofEach((type) => new Map(standardProperties(type).map((one) => [one.name, one])))
  const groups = ofEach(() => new Set<string>())
  const owners = new Map<string, HubspotOwner>()
  const missingScopes = new Set<string>()
  let usedToday = 0
  const associations = new Set<string>()
  const faults: Fault[] = []
  const held: { path: RegExp; until: Promise<void> }[] = []
  const calls: Recorded[] = []
  const { activities, ...activityApi } = createActivities(records, owners, nextHubspotId)
  const batches = createBatches({ records, properties, associations, searchLagMs, now })

  async function answer(request: SandboxRequest): Promise<SandboxResponse> {
    const { url, method, body } = request
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs))
    if (url.hostname === 'app.hubspot.com')
      return url.pathname === '/oauth/authorize' ? oauth.authorize(request) : page()
    const path = url.pathname
    const holding = held.findIndex((hold) => hold.path.test(path))
    if (holding >= 0) await held.splice(holding, 1)[0]?.until
    const given = path.startsWith('/oauth/') ? Object.fromEntries(new URLSearchParams(body)) : parse(body)
    const fault = takeFault(faults, path)
    const result = fault && !fault.isCarriedOut ? fault.answer : respond(request, given)
    if (keepCalls) calls.push({ method, path: path + url.search, body: given, status: result.status })
    const sent = fault?.answer ?? result
    return { ...sent, headers: { date: new Date(now()).toUTCString(), ...sent.headers } }
  }

  function respond(request: SandboxRequest, body: unknown): SandboxResponse {
    const { url, method, headers } = request
    const path = url.pathname
    if (path === `/oauth/${VERSION}/token`) return oauth.token(request)
    const token = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
    if (!token || !oauth.isGood(token)) {
      return error(401, 'EXPIRED_AUTHENTICATION', 'The OAuth token used to make this call expired or is not valid.')
    }
    const isSearch = path.endsWith('/search')
    const left = (isSearch ? searches : window).take(Date.now())
    if (left === null) return limited(isSearch ? 'SECONDLY' : 'TEN_SECONDLY_ROLLING')
    if (++usedToday > dailyLimit) return limited('DAILY')
    const missing = scopesOf(url, method).filter((scope) => missingScopes.has(scope))
    const result = missing.length > 0 ? withoutScopes(missing) : route(method, url, body)
    // Searches have no rate limit headers.
    if (isSearch) return result
    const counts = {
      'x-hubspot-ratelimit-daily': String(dailyLimit),
      'x-hubspot-ratelimit-daily-remaining': String(dailyLimit - usedToday),
      'x-hubspot-ratelimit-max': String(limit.calls),
      'x-hubspot-ratelimit-interval-milliseconds': String(limit.ms),
      'x-hubspot-ratelimit-remaining': String(left),
    }
    return { ...result, headers: { ...result.headers, ...counts } }
  }

  function route(method: string, url: URL, body: unknown): SandboxResponse {
    const path = url.pathname
    if (method === 'GET' && path === `/account-info/${VERSION}/details`) {
      const zone = { timeZone: 'America/Los_Angeles', utcOffset: '-08:00', utcOffsetMilliseconds: -28_800_000 }
      return json(200, {
        portalId,
        accountType: 'STANDARD',
        ...zone,
        companyCurrency: 'USD',
        uiDomain: 'app.hubspot.com',
      })
    }
    const answered = method === 'POST' ? activity(path, body) : null
    if (answered)
      return 'body' in answered
        ? json(answered.status, answered.body)
        : error(answered.status, answered.category, answered.message)
    const [, object, what] =
      new RegExp(`^/crm/objects/${VERSION}/(companies|contacts|deals)(?:/(.+))?$`).exec(path) ?? []
    if (object) {
      if (method === 'GET' && !what) return batches.list(object as HubspotType, url.searchParams)
      if (method === 'POST' && what) return batches.run(object as HubspotType, what, body)
    }
    if (method === 'GET' && path === `/crm/owners/${VERSION}`) return ownersPage(url.searchParams)
    if (method === 'GET' && path === `/crm/pipelines/${VERSION}/deals`) return json(200, { results: [PIPELINE] })
    const [, linked] =
      new RegExp(`^/crm/associations/${VERSION}/deals/(companies|contacts)/batch/read$`).exec(path) ?? []
    if (method === 'POST' && linked) return batches.dealLinks(linked as 'companies', body)
    const [, type, more] =
      new RegExp(`^/crm/properties/${VERSION}/(companies|contacts|deals)(?:/(.+))?$`).exec(path) ?? []
    if (type) return property(method, type as HubspotType, more, body as Definition)
    if (method === 'POST' && path === `/crm/associations/${VERSION}/contacts/companies/batch/associate/default`) {
      return batches.associate(body)
    }
    return error(404, 'OBJECT_NOT_FOUND', `There is no ${method} ${path}.`)
  }

  function activity(path: string, body: unknown): ActivityAnswer | null {
    const [, kind, what] = new RegExp(`^/crm/objects/${VERSION}/(notes|tasks)(/batch/read)?$`).exec(path) ?? []
    if (kind) return activityApi[what ? 'read' : 'create'](kind as HubspotActivityType, body)
    const [, of] = new RegExp(`^/crm/associations/${VERSION}/companies/(notes|tasks)/batch/read$`).exec(path) ?? []
    return of ? activityApi.associated(of as HubspotActivityType, body) : null
  }

  function ownersPage(query: URLSearchParams): SandboxResponse {
    const limit = Number(query.get('limit') ?? 100)
    const from = Number(query.get('after') ?? 0)
    const all = [...owners.values()].filter(({ archived }) => String(archived) === (query.get('archived') ?? 'false'))
    const next = from + limit < all.length ? { paging: { next: { after: String(from + limit) } } } : {}
    return json(200, { results: all.slice(from, from + limit), ...next })
  }

  function property(method: string, type: HubspotType, more: string | undefined, body: Definition): SandboxResponse {
    if (method === 'GET' && !more) return json(200, { results: [...properties[type].values()].map(described) })
    const held = method === 'GET' ? properties[type].get(more ?? '') : undefined
    if (held) {
      const options = (held.options ?? []).map((value) => ({ label: LIFECYCLE_STAGES[value] ?? value, value }))
      return json(200, { ...held, options })
    }
    if (method === 'GET') return error(404, 'OBJECT_NOT_FOUND', `There is no property ${more}.`)
    if (method !== 'POST') return error(405, 'METHOD_NOT_ALLOWED', 'Method not allowed.')
    if (more === 'groups') {
      if (groups[type].has(body.name))
        return error(409, 'OBJECT_ALREADY_EXISTS', `A property group named '${body.name}' already exists.`)
      groups[type].add(body.name)
      return json(201, body)
    }
    if (properties[type].has(body.name))
      return error(409, 'OBJECT_ALREADY_EXISTS', `A property named '${body.name}' already exists.`)
    if (!groups[type].has(body.groupName))
      return error(400, 'VALIDATION_ERROR', `property group ${body.groupName} does not exist.`)
    const definition = { ...body, hasUniqueValue: body.hasUniqueValue ?? false }
    properties[type].set(body.name, definition)
    return json(201, definition)
  }

  function page(): SandboxResponse {
    const rows = (type: HubspotType) => [...records[type].values()].map(({ id, properties }) => ({ id, ...properties }))
    const activityRows = (type: HubspotActivityType) =>
      [...activities[type].values()].map(({ properties, ...activity }) => ({ ...activity, ...properties }))
    return crmPage('HubSpot sandbox', [
      { title: 'Companies', rows: rows('companies') },
      { title: 'Contacts', rows: rows('contacts') },
      { title: 'Deals', rows: rows('deals') },
      { title: 'Notes', rows: activityRows('notes') },
      { title: 'Tasks', rows: activityRows('tasks') },
    ])
  }

  return {
    name: 'hubspot',
    hosts: ['api.hubapi.com', 'app.hubspot.com'],
    answer,
    portalId,
    oauth,
    records,
    associations,
    dealLinks: batches.links,
    owners,
    missingScopes,
    activities,
    properties,
    calls,
    page,
    fail: (...more) => void faults.push(...more),
    hold: (path, until) => void held.push({ path, until }),
    drop: () => void faults.splice(0),
    add(type, given, links) {
      const { id } = batches.insert(type, given)
      if (links) batches.links.set(id, links)
      return id
    },
    addOwner(owner) {
      const id = nextHubspotId()
      owners.set(id, { id, ...owner, archived: false })
      return id
    },
    link: batches.link,
    edit: (type, id, given) => batches.change(type, id, given),
    delete: batches.archive,
    merge: batches.merge,
    startDay: () => {
      usedToday = 0
    },
  }
}

const PIPELINE = {
  id: 'default',
  label: 'Sales pipeline',
  archived: false,
  stages: Object.entries(DEAL_STAGES).map(([id, { label, ...metadata }]) => ({ id, label, metadata, archived: false })),
}

/** The scopes a request needs. */
function scopesOf({ pathname, searchParams }: URL, method: string): string[] {
  const [, kind, first, rest = ''] = new RegExp(`^/crm/(\\w+)/${VERSION}(?:/(\\w+))?(.*)$`).exec(pathname) ?? []
  if (kind === 'owners') return ['crm.objects.owners.read']
  if (kind === 'pipelines') return [`crm.objects.${first}.read`]
  if (kind === 'associations') return first === 'deals' ? ['crm.objects.deals.read'] : []
  if (kind === 'properties') return [`crm.schemas.${first}.${method === 'GET' ? 'read' : 'write'}`]
  if (kind !== 'objects' || first === 'notes' || first === 'tasks') return []
  const related = searchParams.get('associations')?.split(',') ?? []
  const right = /^\/batch\/(update|upsert)$/.test(rest) ? 'write' : 'read'
  return [`crm.objects.${first}.${right}`, ...related.map((type) => `crm.objects.${type}.read`)]
}

function withoutScopes(requiredGranularScopes: string[]): SandboxResponse {
  const message = "This app hasn't been granted all required scopes to make this call."
  const errors = [{ message: 'One or more of the following scopes are required.', context: { requiredGranularScopes } }]
  return error(403, 'MISSING_SCOPES', message, { errors })
}

/** A definition as HubSpot lists it: values of its own properties cannot be changed. */
function described(definition: Definition) {
  const readOnlyValue = /^(hs_|createdate$|lastmodifieddate$)/.test(definition.name)
  return { ...definition, modificationMetadata: { readOnlyValue } }
}

/** The planned fault for a request, which happens once. */
export function takeFault(faults: Fault[], path: string): Fault | undefined {
  const planned = faults.findIndex((fault) => fault.path.test(path))
  return planned >= 0 ? faults.splice(planned, 1)[0] : undefined
}

function limited(policyName: string): SandboxResponse {
  const message = `You have reached your ${policyName.toLowerCase()} limit.`
  return json(429, { status: 'error', message, errorType: 'RATE_LIMIT', correlationId: randomUUID(), policyName })
}

export function error(status: number, category: string, message: string, more: object = {}): SandboxResponse {
  return json(status, { status: 'error', message, correlationId: randomUUID(), category, ...more })
}

export function json(status: number, body: object): SandboxResponse {
  return { status, headers: { 'content-type': 'application/json;charset=utf-8' }, body: JSON.stringify(body) }
}

function parse(body: string): unknown {
  try {
    return body ? JSON.parse(body) : null
  } catch {
    return body
  }
}
