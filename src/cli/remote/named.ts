import type { Bellwether } from '@bellwether/client'
import { CliError, EXIT_CODES } from '../terminal/exit-codes.ts'

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

type Named = { id: string; name: string }

/** The id of an account that is named by its id, its domain or its exact name. */
export async function accountId(client: Bellwether, given: string): Promise<string> {
  if (ID.test(given)) return given.toLowerCase()
  const word = given.trim()
  const domain = domainIn(word)
  if (domain) {
    for await (const account of client.items('/v1/accounts', { query: { domain, per_page: 100 } }))
      if (account.domain === domain) return account.id
  }
  const found: Named[] = []
  for await (const account of client.items('/v1/accounts', { query: { search: word, per_page: 100 } }))
    found.push(account)
  return theOne(found, word, 'account')
}

export async function accountIds(client: Bellwether, given: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const one of given) ids.push(await accountId(client, one))
  return [...new Set(ids)]
}

/** The id of a person that is named by their id or their exact name. */
export async function personId(client: Bellwether, given: string): Promise<string> {
  if (ID.test(given)) return given.toLowerCase()
  const found: Named[] = []
  for await (const person of client.items('/v1/people', { query: { search: given.trim(), per_page: 100 } }))
    found.push({ id: person.id, name: person.full_name })
  return theOne(found, given.trim(), 'person')
}

export async function personIds(client: Bellwether, given: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const one of given) ids.push(await personId(client, one))
  return [...new Set(ids)]
}

/** The id of a member that is named by `me`, their id, their email or their name; null for `none`. */
export async function memberId(client: Bellwether, given: string): Promise<string | null> {
  if (given === 'none') return null
  if (given === 'me') return (await client.get('/v1/me')).member.id
  const members = await client.get('/v1/members')
  const byEmail = members.find(({ id, email }) => id === given || same(email, given))
  return byEmail?.id ?? theOne(members, given, 'member')
}

/** The same where a list is filtered by it, which knows no `none`. */
export async function ownerFilter(client: Bellwether, given: string | undefined): Promise<string | undefined> {
  if (given === undefined) return undefined
  const id = await memberId(client, given)
  if (id === null)
    throw new CliError(EXIT_CODES.usage, '--owner takes a member here: a list cannot be asked for what has none.')
  return id
}

/** What the CRMs and the chat are called, by the id that the API has for each. */
export async function connectableNames(client: Bellwether): Promise<(id: string) => string> {
  const providers = await client.get('/v1/connections/providers')
  return (id) => providers.find(({ provider }) => provider === id)?.label ?? id
}

/** The one record whose name it is. Throws a CliError where there is none, or more than one. */
export function theOne(found: Named[], word: string, what: string): string {
  const exact = found.filter(({ name }) => same(name, word))
  const [first, ...others] = exact
  if (first && others.length === 0) return first.id
  if (first) {
    const ids = exact.map(({ id }) => `  ${id}`).join('\n')
    throw new CliError(
      EXIT_CODES.usage,
      `${exact.length} of these are called ${word}. Say which one, by its id:\n${ids}`,
    )
  }
  const near = found.slice(0, 3).map(({ name }) => name)
  const hint = near.length > 0 ? ` Near: ${near.join(', ')}.` : ''
  throw new CliError(EXIT_CODES.not_found, `No ${what} is called ${word}.${hint}`)
}

const same = (a: string, b: string) => a.normalize('NFC').toLowerCase() === b.normalize('NFC').toLowerCase()

/** The domain in `https://www.acme.com/about`, `acme.com`; null for what is none. */
export function domainIn(word: string): string | null {
  if (/\s/.test(word) || !word.includes('.')) return null
  const address = /^https?:\/\//i.test(word) ? word : `https://${word}`
  return URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : null
}
