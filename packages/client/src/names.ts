import type { Bellwether } from './bellwether.ts'
import type { Schemas } from './types.ts'

/**
 * Name resolution. The API takes ids; people and agents use names, domains and email addresses. Every function accepts an id
 * as well as a name, and throws NameError when no record or more than one record matches.
 */

type CrmProvider = Exclude<Schemas['ConnectionProvider']['provider'], 'chat'>

/** Where records are pushed: a webhook destination, one CRM, or every connected CRM when `provider` is undefined. */
export type PushTarget = { name: string } & ({ destination_id: string } | { provider: CrmProvider | undefined })

type Account = Pick<Schemas['ListedAccount'], 'id' | 'name' | 'domain' | 'status'>

type Candidates = {
  account: Account
  person: Schemas['Person']
  member: Schemas['Member']
  signal: Schemas['Signal']
  section: Schemas['KnowledgeSection']
  destination: PushTarget
}
type Kind = keyof Candidates

/** Why a name was not resolved, with the records to offer instead. */
export type NameProblem = {
  [K in Kind]: {
    kind: K
    reason: 'not_found' | 'ambiguous'
    /** The name as it was given, trimmed. */
    name: string
    /** `ambiguous`: the records with this name. `not_found`: similar accounts and people; of other kinds, all there are. */
    candidates: Candidates[K][]
    /** How many records the search matched; more than `candidates` when the list is cut. */
    total: number
    /** The account that the search for a person was limited to. */
    account_id?: string
  }
}[Kind]

/** A name that leads to no record, or to several. The message lists alternatives; `problem` has them as records. */
export class NameError extends Error {
  override readonly name = 'NameError'
  readonly problem: NameProblem

  constructor(problem: NameProblem) {
    super(messageFor(problem))
    this.problem = problem
  }
}

export type LookupOptions = {
  /** Pages of search results to read, at 100 records each; all when absent. Limits the requests that a common name costs. */
  maxPages?: number
}

const PER_PAGE = 100
const MAX_SIMILAR = 5
const MAX_LISTED = 20
/** Lookups that run at the same time when several names are resolved. */
const CONCURRENT_LOOKUPS = 8

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** An account by id, domain or exact name. Throws ApiError `not_found` for an unknown id. */
export async function resolveAccount(client: Bellwether, given: string, options: LookupOptions = {}): Promise<Account> {
  const name = given.trim()
  if (UUID.test(name)) return client.get('/v1/accounts/{id}', { path: { id: name.toLowerCase() } })
  const domain = parseDomain(name)
  // A domain belongs to one account at most, and a name may look like a domain.
  if (domain !== null)
    for await (const { data } of client.pages('/v1/accounts', { query: { domain, per_page: 1 } })) {
      const [account] = data
      if (account) return account
      break
    }
  const found = await search(
    client.pages('/v1/accounts', { query: { search: name, per_page: PER_PAGE } }),
    (account) => isSame(account.name, name),
    () => false,
    options,
  )
  return pickOne('account', name, found)
}

/** The id of an account. An id is returned without a lookup. */
export async function resolveAccountId(client: Bellwether, given: string, options?: LookupOptions): Promise<string> {
  return idIn(given) ?? (await resolveAccount(client, given, options)).id
}

/** The ids of several accounts, without duplicates. */
export function resolveAccountIds(client: Bellwether, given: readonly string[], options?: LookupOptions) {
  return resolveEach(given, (one) => resolveAccountId(client, one, options))
}

/** The id of a person by id or exact full name, at one account or at any. An id is returned without a lookup. */
export async function resolvePersonId(
  client: Bellwether,
  given: string,
  { account_id, ...options }: LookupOptions & { account_id?: string } = {},
): Promise<string> {
  const name = given.trim()
  const id = idIn(name)
  if (id) return id
  const query = { search: name, per_page: PER_PAGE, ...(account_id ? { account_id } : {}) }
  const found = await search(
    client.pages('/v1/people', { query }),
    (person) => isSame(person.full_name, name),
    () => false,
    options,
  )
  return pickOne('person', name, found, account_id ? { account_id } : {}).id
}

/** The ids of several people, without duplicates. */
export function resolvePersonIds(client: Bellwether, given: readonly string[], options?: LookupOptions) {
  return resolveEach(given, (one) => resolvePersonId(client, one, options))
}

/** The id of a member by id, email address or name; `me` is the member that the API key belongs to. */
export async function resolveMemberId(client: Bellwether, given: string): Promise<string> {
  const name = given.trim()
  if (isSame(name, 'me')) return (await client.get('/v1/me')).member.id
  const members = await client.get('/v1/members')
  const unique = members.find(({ id, email }) => isSame(id, name) || isSame(email, name))
  const exact = unique ? [unique] : members.filter((member) => isSame(member.name, name))
  return pickOne('member', name, { exact, others: members, total: members.length }).id
}

/** The ids of signals by id or name. */
export async function resolveSignalIds(client: Bellwether, given: readonly string[]): Promise<string[]> {
  if (given.length === 0) return []
  const signals = await client.get('/v1/signals')
  const others = signals.filter(({ enabled }) => enabled)
  return given.map((one) => {
    const name = one.trim()
    const found = signals.find((signal) => isSame(signal.id, name) || isSame(signal.name, name))
    return pickOne('signal', name, { exact: found ? [found] : [], others, total: others.length }).id
  })
}

/** A section of the knowledge base by id or title. */
export async function resolveKnowledgeSection(client: Bellwether, given: string): Promise<Schemas['KnowledgeSection']> {
  const name = given.trim()
  const sections = await client.get('/v1/knowledge-base')
  const exact = sections.filter(({ id, title }) => isSame(id, name) || isSame(title, name))
  return pickOne('section', name, { exact, others: sections, total: sections.length })
}

/** Where to push: `crm` for every connected CRM, one CRM by its name, or a webhook destination by name or id. */
export async function resolvePushTarget(client: Bellwether, given: string): Promise<PushTarget> {
  const name = given.trim()
  const everyCrm: PushTarget = { name: 'crm', provider: undefined }
  if (isSame(name, everyCrm.name)) return { ...everyCrm, name: 'CRM' }
  const [providers, destinations] = await Promise.all([
    client.get('/v1/connections/providers'),
    client.get('/v1/webhook-destinations'),
  ])
  const crms = providers.flatMap(({ provider, label }) => (provider === 'chat' ? [] : { name: label, provider }))
  const crm = crms.find(({ name: label, provider }) => isSame(provider, name) || isSame(label, name))
  if (crm) return crm
  const targets = destinations.map((one) => ({ name: one.name, destination_id: one.id }))
  const byId = targets.find(({ destination_id }) => isSame(destination_id, name))
  const exact = byId ? [byId] : targets.filter((target) => isSame(target.name, name))
  const others = [...targets.slice(0, MAX_LISTED), everyCrm, ...crms]
  return pickOne('destination', name, { exact, others, total: others.length })
}

/** Whether an account has this domain or this name, as resolveAccount matches them. */
export function hasAccountName({ name, domain }: Pick<Account, 'name' | 'domain'>, given: string): boolean {
  return (domain !== null && domain === parseDomain(given.trim())) || isSame(name, given)
}

/** The domain in `https://www.acme.com/about` or `acme.com`; null for a text that contains none. */
export function parseDomain(text: string): string | null {
  if (/\s/.test(text) || !text.includes('.')) return null
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`
  return URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : null
}

function idIn(text: string): string | null {
  return UUID.test(text.trim()) ? text.trim().toLowerCase() : null
}

function isSame(a: string, b: string): boolean {
  const normalize = (text: string) => text.trim().normalize('NFC').toLowerCase()
  return normalize(a) === normalize(b)
}

async function resolveEach(given: readonly string[], resolve: (one: string) => Promise<string>): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < given.length; at += CONCURRENT_LOOKUPS)
    ids.push(...(await Promise.all(given.slice(at, at + CONCURRENT_LOOKUPS).map(resolve))))
  return [...new Set(ids)]
}

type Found<T> = { exact: T[]; others: T[]; total: number }
type Page<T> = { data: T[]; pagination: { total: number } }

/** Reads search results until one matches for certain, the pages end or the page limit is reached. */
async function search<T extends { id: string }>(
  pages: AsyncIterable<Page<T>>,
  isExact: (record: T) => boolean,
  isCertain: (record: T) => boolean,
  { maxPages = Number.POSITIVE_INFINITY }: LookupOptions,
): Promise<Found<T>> {
  // By id: a record that is added meanwhile moves others to the next page, where they appear again.
  const exact = new Map<string, T>()
  const others: T[] = []
  let total = 0
  let read = 0
  for await (const { data, pagination } of pages) {
    total = pagination.total
    const certain = data.find(isCertain)
    if (certain) return { exact: [certain], others: [], total }
    for (const record of data)
      if (isExact(record)) exact.set(record.id, record)
      else if (others.length < MAX_SIMILAR) others.push(record)
    if (++read >= maxPages) break
  }
  return { exact: [...exact.values()], others, total }
}

function pickOne<K extends Kind>(
  kind: K,
  name: string,
  { exact, others, total }: Found<Candidates[K]>,
  scope: { account_id?: string } = {},
): Candidates[K] {
  const [first, ...more] = exact
  if (first && more.length === 0) return first
  const reason = first ? 'ambiguous' : 'not_found'
  throw new NameError({ kind, reason, name, candidates: first ? exact : others, total, ...scope } as NameProblem)
}

const NOUNS: Readonly<Record<Kind, readonly [one: string, many: string]>> = {
  account: ['account', 'accounts'],
  person: ['person', 'people'],
  member: ['member', 'members'],
  signal: ['signal', 'signals'],
  section: ['section', 'sections'],
  destination: ['destination or CRM', 'destinations'],
}

function messageFor({ kind, reason, name, candidates }: NameProblem): string {
  const [one, many] = NOUNS[kind]
  if (reason === 'ambiguous') {
    const ids = candidates.map((candidate) => `  ${idOf(candidate)}`)
    return `${candidates.length} ${many} are called ${name}. Use the id instead:\n${ids.join('\n')}`
  }
  const labels = candidates.slice(0, MAX_LISTED).map(labelOf)
  const list = labels.length > 0 ? ` ${isSearched(kind) ? 'Similar' : 'There are'}: ${labels.join(', ')}.` : ''
  return `No ${one} is called ${name}.${list}`
}

const isSearched = (kind: Kind) => kind === 'account' || kind === 'person'

function idOf(candidate: Candidates[Kind]): string {
  if ('id' in candidate) return candidate.id
  return 'destination_id' in candidate ? candidate.destination_id : candidate.name
}

function labelOf(candidate: Candidates[Kind]): string {
  if ('full_name' in candidate) return candidate.full_name
  return 'content_md' in candidate ? candidate.title : candidate.name
}
