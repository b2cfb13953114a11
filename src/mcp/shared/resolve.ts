import type { Bellwether, Schemas } from '@bellwether/client'
import { isId } from '../../ids.ts'
import { CRM_VENDORS, type CrmProvider } from '../../providers/crm/registry.ts'
import { ToolError } from './errors.ts'
import { quoteName } from './untrusted-text.ts'

/** Agents have names where the API wants ids. Each of these takes either, and says what there is when it finds nothing. */

type Account = Pick<Schemas['ListedAccount'], 'id' | 'name' | 'domain' | 'status' | 'score'>

/** As many as a page of the API holds. */
const MATCHES = 100
const SHOWN = 5

const same = (a: string | null, b: string) => a?.trim().toLowerCase() === b.trim().toLowerCase()

/** `https://www.acme.com/about` is acme.com. */
const bareDomain = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[/?#].*$/, '')

const shown = ({ name, domain, id, status }: Account) =>
  `${quoteName(name)} (${domain ?? 'no domain'}, ${status}, id ${id})`

/** Whether a domain, an address or a name is that of the account. */
export function isCalled({ name, domain }: Pick<Account, 'name' | 'domain'>, asked: string): boolean {
  return same(domain, bareDomain(asked)) || same(name, asked)
}

/** An account by id, domain or exact name. Says which ones match when several do, and which come near when none does. */
export async function findAccount(client: Bellwether, asked: string): Promise<Account> {
  if (isId(asked.trim())) return client.get('/v1/accounts/{id}', { path: { id: asked.trim() } })
  const domain = bareDomain(asked)
  const search = domain.includes('.') && !/\s/.test(domain) ? domain : asked.trim()
  const { data, pagination } = await client.get('/v1/accounts', { query: { search, per_page: MATCHES } })
  const ofDomain = data.filter((account) => same(account.domain, domain))
  const exact = ofDomain.length > 0 ? ofDomain : data.filter(({ name }) => same(name, asked))
  const [first, ...more] = exact
  if (first && more.length === 0) return first
  if (first) throw several(asked, exact)
  if (data.length === 0)
    throw new ToolError(
      `No account is called ${quoteName(asked)}. search_accounts finds accounts by part of a name or domain; add_accounts adds one.`,
    )
  const rest = pagination.has_more ? ` ${pagination.total} match in all: give the domain or the id.` : ''
  throw new ToolError(
    `No account is called exactly ${quoteName(asked)}. Near: ${data.slice(0, SHOWN).map(shown).join('; ')}.${rest}`,
  )
}

export function findAccounts(client: Bellwether, asked: readonly string[]): Promise<Account[]> {
  return Promise.all(asked.map((one) => findAccount(client, one)))
}

/** Ids of many accounts: those that are given are taken as they are, names and domains are looked up. */
export function accountIds(client: Bellwether, asked: readonly string[]): Promise<string[]> {
  return idsOf(asked, async (one) => (await findAccount(client, one)).id)
}

/** The same of people, by id or exact name. */
export function personIds(client: Bellwether, asked: readonly string[]): Promise<string[]> {
  return idsOf(asked, (one) => findPerson(client, one))
}

/** Each name is a call of the API. */
const NAMES = 50

function idsOf(asked: readonly string[], find: (one: string) => Promise<string>): Promise<string[]> {
  if (asked.filter((one) => !isId(one.trim())).length > NAMES)
    throw new ToolError(`At most ${NAMES} may be named at once. Give the others by their ids.`)
  return Promise.all(asked.map((one) => (isId(one.trim()) ? one.trim() : find(one))))
}

const several = (asked: string, found: Account[]) =>
  new ToolError(
    `${found.length} accounts are called ${quoteName(asked)}. Say which by its id: ${found.slice(0, 10).map(shown).join('; ')}.`,
  )

/** The id of a member: `me`, an id, an email address or a name. */
export async function findOwner(client: Bellwether, asked: string): Promise<string> {
  const wanted = asked.trim()
  if (same('me', wanted)) return (await client.get('/v1/me')).member.id
  if (isId(wanted)) return wanted
  const members = await client.get('/v1/members')
  const found = members.filter(({ name, email }) => same(email, wanted) || same(name, wanted))
  const [first, ...more] = found
  if (first && more.length === 0) return first.id
  const list = (first ? found : members).slice(0, 20).map(({ name, email }) => `${quoteName(name)} ${email}`)
  throw new ToolError(
    `${first ? 'Several members are' : 'No member is'} called ${quoteName(wanted)}. Give the email address or "me": ${list.join('; ')}.`,
  )
}

/** Ids of signals by id or name. */
export async function findSignals(client: Bellwether, asked: readonly string[]): Promise<string[]> {
  if (asked.length === 0) return []
  const signals = await client.get('/v1/signals')
  return asked.map((one) => {
    const found = signals.find(({ id, name }) => same(id, one) || same(name, one))
    if (found) return found.id
    const list = signals.filter(({ enabled }) => enabled).map(({ id }) => id)
    throw new ToolError(
      `No signal is called ${quoteName(one)}. There are: ${list.join(', ')}. create_signal makes a new one.`,
    )
  })
}

/** The id of a person, by id or exact name, at one account or at any. */
export async function findPerson(client: Bellwether, asked: string, account_id?: string): Promise<string> {
  const wanted = asked.trim()
  if (isId(wanted)) return wanted
  const { data } = await client.get('/v1/people', { query: { search: wanted, account_id, per_page: MATCHES } })
  const found = data.filter(({ full_name }) => same(full_name, wanted))
  const [first, ...more] = found
  if (first && more.length === 0) return first.id
  if (!first)
    throw new ToolError(
      `Nobody that you can see is called ${quoteName(wanted)}${account_id ? ' there' : ''}. find_people finds people at active accounts.`,
    )
  const list = found
    .slice(0, 10)
    .map(({ id, title, account_name }) => `${quoteName(title ?? 'no title')} at ${quoteName(account_name)}, id ${id}`)
  throw new ToolError(
    `${found.length} people are called ${quoteName(wanted)}. Say which by the id: ${list.join('; ')}.`,
  )
}

export type Receiver = { name: string } & ({ destination_id: string } | { provider: CrmProvider | undefined })

/** Where to push: `crm`, a CRM by name, or a webhook destination by name or id. */
export async function findReceiver(client: Bellwether, asked: string): Promise<Receiver> {
  const wanted = asked.trim()
  if (same('crm', wanted)) return { name: 'CRM', provider: undefined }
  const vendor = CRM_VENDORS.find(({ id, label }) => same(id, wanted) || same(label, wanted))
  if (vendor) return { name: vendor.label, provider: vendor.id }
  const destinations = await client.get('/v1/webhook-destinations')
  const found = destinations.find(({ id, name }) => same(id, wanted) || same(name, wanted))
  if (found) return { name: found.name, destination_id: found.id }
  const list = destinations.slice(0, 20).map(({ name }) => quoteName(name))
  throw new ToolError(
    `No destination is called ${quoteName(wanted)}. There are: ${[...list, 'crm', ...CRM_VENDORS.map(({ label }) => label)].join(', ')}. An admin adds destinations.`,
  )
}

/** A section of the knowledge base by id or title. */
export async function findSection(client: Bellwether, asked: string): Promise<Schemas['KnowledgeSection']> {
  const sections = await client.get('/v1/knowledge-base')
  const found = sections.filter(({ id, title }) => same(id, asked) || same(title, asked))
  const [first, ...more] = found
  if (first && more.length === 0) return first
  const list = (first ? found : sections).slice(0, 20).map(({ id, title }) => `${quoteName(title)} (id ${id})`)
  const none = sections.length === 0 ? ' It has no section yet.' : ` There are: ${list.join('; ')}.`
  throw new ToolError(
    `${first ? 'Several sections are' : 'No section of the knowledge base is'} called ${quoteName(asked)}.${none}`,
  )
}
