import { InvalidValueError } from '../shared/config-values.ts'
import { isId } from '../shared/ids.ts'

/** What a person may do after signing in. Without `workspace`, the first workspace of the installation. */
export type ProviderAccess = {
  workspace: string | null
  role: 'admin' | 'member'
  visibility: 'all' | 'scoped'
}

/** An OpenID Connect provider that people sign in with; docs/sign-in.md describes the fields. */
export type OidcProvider = {
  id: string
  name: string
  issuer: string
  client_id: string
  /** Null for a public client, which proves itself by PKCE alone. */
  client_secret: string | null
  scopes: string
  /** Additional parameters of the authorization request. */
  parameters: Readonly<Record<string, string>>
  groups_claim: string
  /** The first entry whose group the person has applies. */
  groups: readonly (ProviderAccess & { group: string })[]
  /** For people without a mapped group; null refuses them. */
  default: ProviderAccess | null
  /** Null accepts every domain. */
  allowed_domains: readonly string[] | null
  /** Whether addresses count as verified without `email_verified`, because the organization assigns them. */
  trust_email: boolean
}

const FIELDS = [
  ...['id', 'name', 'issuer', 'client_id', 'client_secret', 'scopes', 'parameters'],
  ...['groups_claim', 'groups', 'default', 'allowed_domains', 'trust_email'],
]
const ACCESS_FIELDS = ['workspace', 'role', 'visibility']
/** Parameters that the sign-in sets itself: another value would weaken or break it. */
const RESERVED =
  /^(client_id|client_secret|response_type|response_mode|redirect_uri|scope|state|nonce|code_challenge(_method)?|request|request_uri)$/
/** Issuers that any organization and private accounts share, so that an address in their tokens proves nothing. */
const SHARED_ISSUER = /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)\b/i
const MAX_PROVIDERS = 20
const MAX_GROUPS = 1000
const MAX_DOMAINS = 100

type Fields = Record<string, unknown>
/** Records what is wrong with a value: its path, and what to write instead. */
type Report = (path: string, problem: string) => void

/** Reads the JSON list of providers. Throws InvalidValueError with one line for each mistake. */
export function parseOidcProviders(text: string): readonly OidcProvider[] {
  const list = parseJson(text)
  if (!Array.isArray(list) || list.length > MAX_PROVIDERS) throw new InvalidValueError()
  const problems: string[] = []
  const report: Report = (path, problem) => problems.push(`${path} ${problem}.`)
  const providers = list.map((entry, at) => readProvider(entry, `[${at}]`, report))
  const ids = providers.map(({ id }) => id)
  ids.forEach((id, at) => {
    if (ids.indexOf(id) < at) report(`[${at}].id`, `must differ from the others: ${id} is used twice`)
  })
  if (problems.length > 0) throw new InvalidValueError(problems)
  return providers
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidValueError()
  }
}

function readProvider(entry: unknown, at: string, report: Report): OidcProvider {
  const fields = readFields(entry, at, FIELDS, report)
  const text = (name: string, pattern: RegExp, expected: string, fallback?: string) => {
    const value = fields[name] ?? fallback
    if (typeof value === 'string' && pattern.test(value)) return value
    report(`${at}.${name}`, value === undefined ? `is missing; write ${expected}` : `must be ${expected}`)
    return ''
  }
  const groups = readList(fields.groups ?? [], MAX_GROUPS)
  if (!groups) report(`${at}.groups`, 'must be a list of {"group", "role", "visibility", "workspace"}')
  const domains = fields.allowed_domains === undefined ? null : readList(fields.allowed_domains, MAX_DOMAINS)
  const isDomain = (value: unknown) => typeof value === 'string' && /^[\w-]+(\.[\w-]+)+$/.test(value)
  if (fields.allowed_domains !== undefined && !(domains && domains.length > 0 && domains.every(isDomain))) {
    report(`${at}.allowed_domains`, 'must be a list of domains such as ["northwind.com"]')
  }
  const trust_email = fields.trust_email ?? false
  if (typeof trust_email !== 'boolean') report(`${at}.trust_email`, 'must be true or false')
  if (domains === null && trust_email === true) {
    report(`${at}.allowed_domains`, 'is missing; with trust_email, write the domains whose addresses you assign')
  }
  if (domains === null && fields.default != null) {
    report(`${at}.allowed_domains`, 'is missing; with default, everyone at the provider could sign in without it')
  }
  if (groups?.length === 0 && fields.default == null) {
    report(`${at}.groups`, 'is missing; map groups to roles, or write default for people without a mapped group')
  }
  return {
    id: text('id', /^[a-z0-9-]{1,40}$/, 'a short name of a-z, 0-9 and -'),
    name: text('name', /^[^\p{Cc}]{1,60}$/u, 'the name on the button, at most 60 characters'),
    issuer: readIssuer(fields.issuer, `${at}.issuer`, report),
    client_id: text('client_id', /^[\x21-\x7e]{1,300}$/, 'the client id that the provider issued'),
    client_secret:
      fields.client_secret === undefined
        ? null
        : text('client_secret', /^[\x20-\x7e]{1,1000}$/, 'the client secret that the provider issued'),
    scopes: text(
      'scopes',
      /^(?=(?:.* )?openid(?: |$))[\x21-\x7e]+(?: [\x21-\x7e]+){0,20}$/,
      'scopes separated by spaces, with openid',
      'openid email profile',
    ),
    parameters: readParameters(fields.parameters ?? {}, `${at}.parameters`, report),
    groups_claim: text('groups_claim', /^[\x21-\x7e]{1,200}$/, 'the name of a claim', 'groups'),
    groups: (groups ?? []).map((group, index) => readGroup(group, `${at}.groups[${index}]`, report)),
    default: fields.default == null ? null : readAccess(fields.default, `${at}.default`, ACCESS_FIELDS, report),
    allowed_domains: domains?.filter(isDomain).map((domain) => (domain as string).toLowerCase()) ?? null,
    trust_email: trust_email === true,
  }
}

function readIssuer(value: unknown, path: string, report: Report): string {
  const url = typeof value === 'string' && value.length <= 500 ? URL.parse(value) : null
  // With this path, the library does not compare the issuer in the metadata with this one.
  const isMetadata = url?.href.includes('/.well-known/')
  const hasMore = url?.search || url?.hash || url?.username || url?.password
  if (!url || !/^https?:$/.test(url.protocol) || isMetadata || hasMore) {
    report(path, 'must be the URL before /.well-known/openid-configuration, without a query')
  } else if (SHARED_ISSUER.test(url.href)) {
    report(path, 'must name your tenant: https://login.microsoftonline.com/<tenant id>/v2.0')
  }
  return url ? (value as string) : ''
}

function readGroup(entry: unknown, at: string, report: Report) {
  const { group } = readFields(entry, at, ['group', ...ACCESS_FIELDS], () => {})
  if (typeof group !== 'string' || group === '' || group.length > 300) {
    report(`${at}.group`, 'must be the name of a group as the provider sends it')
  }
  return { group: String(group), ...readAccess(entry, at, ['group', ...ACCESS_FIELDS], report) }
}

function readAccess(entry: unknown, at: string, known: string[], report: Report): ProviderAccess {
  const { workspace, role = 'member', visibility = 'all' } = readFields(entry, at, known, report)
  if (role !== 'admin' && role !== 'member') report(`${at}.role`, 'must be admin or member')
  if (visibility !== 'all' && visibility !== 'scoped') report(`${at}.visibility`, 'must be all or scoped')
  const isKnown = workspace === undefined || (typeof workspace === 'string' && isId(workspace))
  if (!isKnown) report(`${at}.workspace`, 'must be the id of a workspace; "bellwether workspaces list" lists them')
  return {
    workspace: isKnown && workspace !== undefined ? String(workspace).toLowerCase() : null,
    role: role === 'admin' ? 'admin' : 'member',
    visibility: visibility === 'scoped' ? 'scoped' : 'all',
  }
}

function readParameters(value: unknown, path: string, report: Report): Record<string, string> {
  const entries = isRecord(value) ? Object.entries(value) : null
  if (!entries?.every(([name, text]) => typeof text === 'string' && !RESERVED.test(name)) || entries.length > 20) {
    report(path, 'must be texts by name, without the parameters that the sign-in sets itself')
  }
  return Object.fromEntries((entries ?? []).map(([name, text]) => [name, String(text)]))
}

function readFields(entry: unknown, at: string, known: string[], report: Report): Fields {
  if (!isRecord(entry)) {
    report(at, 'must be an object')
    return {}
  }
  for (const name of Object.keys(entry)) {
    if (!known.includes(name)) report(`${at}.${name}`, `is not a setting; the settings are ${known.join(', ')}`)
  }
  return entry
}

const readList = (value: unknown, max: number): unknown[] | null =>
  Array.isArray(value) && value.length <= max ? value : null

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
