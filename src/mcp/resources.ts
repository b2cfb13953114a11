import { ApiError, type Bellwether, type Schemas } from '@bellwether/client'
import { NameError, resolveKnowledgeSection, resolveSignalIds } from '@bellwether/client/names'
import { type McpServer, ResourceNotFoundError, ResourceTemplate, UriTemplate } from '@modelcontextprotocol/server'
import { formatAccountReport, readAccountReport } from './records/accounts.ts'
import { formatSection } from './records/knowledge-base.ts'
import { formatPerson, toPersonRecord } from './records/people.ts'
import { describeError, ToolError, throwProtocolError } from './shared/errors.ts'
import { blockQuote, quoteName, singleLine, UNTRUSTED_NOTICE } from './shared/untrusted-text.ts'

type ListedResource = { uri: string; name: string; title?: string; description?: string }

/** A kind of resource. It is read through the client, so the rights of the API key apply. */
type ResourceDefinition = {
  name: string
  title: string
  description: string
  /** A template with `{id}`, or the URI of a single resource. */
  uri: string | UriTemplate
  read: (client: Bellwether, id: string) => Promise<string>
  /** The first `MAX_LISTED` resources of this kind. */
  list?: (client: Bellwether) => Promise<ListedResource[]>
  /** Completions of `{id}` for the text typed so far. */
  complete?: (client: Bellwether, typed: string) => Promise<string[]>
}

export const RESOURCE_MIME_TYPE = 'text/markdown'

/** Resources listed and completed per kind. */
export const MAX_LISTED = 20

/** Throws a resource-not-found error for an unknown id or name, and a protocol error for anything else. */
function throwReadError(uri: string, error: unknown): never {
  if (error instanceof NameError || error instanceof ToolError || ApiError.is(error, 'not_found'))
    throw new ResourceNotFoundError(uri, describeError(error) ?? undefined)
  return throwProtocolError(error)
}

/** Decodes percent-encoding; malformed text is returned as it is and then matches no record. */
export function decodeUriPart(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

const accountResource: ResourceDefinition = {
  name: 'account',
  title: 'Account',
  description: 'An account with its score, its signals with evidence and its drafts. The id may be its domain.',
  uri: new UriTemplate('bellwether://accounts/{id}'),
  read: async (client, id) => formatAccountReport(await readAccountReport(client, id, { full: true })),
  async list(client) {
    const { data } = await client.get('/v1/accounts', { query: { per_page: MAX_LISTED } })
    return data.map(({ id, name, domain, score, status }) => ({
      uri: `bellwether://accounts/${id}`,
      name: domain ?? id,
      title: singleLine(name, 120),
      description: `Score ${score}, ${status}`,
    }))
  },
  complete: completeAccount,
}

/** Completes to domains, which people remember, and to ids of accounts without a domain. */
export async function completeAccount(client: Bellwether, typed: string): Promise<string[]> {
  const { data } = await client.get('/v1/accounts', { query: { search: typed.slice(0, 300), per_page: MAX_LISTED } })
  return data.map(({ domain, id }) => domain ?? id)
}

const personResource: ResourceDefinition = {
  name: 'person',
  title: 'Person',
  description: 'A person at an account, as far as you can see them: role, verified email, source page.',
  uri: new UriTemplate('bellwether://people/{id}'),
  async read(client, id) {
    const one = await client.get('/v1/people/{id}', { path: { id } })
    const before = one.title_history.map(({ title, until }) => `${singleLine(title, 100)} until ${until}`)
    const facts = [
      one.location && `Location: ${singleLine(one.location, 100)}`,
      one.phone && `Phone: ${one.phone}`,
      before.length > 0 && `Before: ${before.join('; ')}`,
      (one.found_url ?? one.network_url) && `Source: ${singleLine(one.found_url ?? one.network_url ?? '', 500)}`,
    ].filter((fact) => typeof fact === 'string')
    return [UNTRUSTED_NOTICE, formatPerson(toPersonRecord(one)), ...facts.map((fact) => blockQuote(fact))].join('\n')
  },
  async list(client) {
    const { data } = await client.get('/v1/people', { query: { per_page: MAX_LISTED } })
    return data.map(({ id, full_name, title, account_name }) => ({
      uri: `bellwether://people/${id}`,
      name: singleLine(full_name, 120),
      description: singleLine(`${title ?? 'No title'} at ${account_name}`, 200),
    }))
  },
  /** Completes a name or title to ids, because a person's name is not unique. */
  async complete(client, typed) {
    const { data } = await client.get('/v1/people', { query: { search: typed.slice(0, 300), per_page: MAX_LISTED } })
    return data.map(({ id }) => id)
  },
}

const knowledgeSectionResource: ResourceDefinition = {
  name: 'knowledge-base-section',
  title: 'Knowledge base section',
  description: 'What the team has written about itself: what it sells, to which customers and why.',
  uri: new UriTemplate('bellwether://knowledge-base/{id}'),
  read: async (client, id) => formatSection(await resolveKnowledgeSection(client, id)),
  async list(client) {
    const sections = await client.get('/v1/knowledge-base')
    return sections.slice(0, MAX_LISTED).map(({ id, title, type }) => ({
      uri: `bellwether://knowledge-base/${id}`,
      name: singleLine(title, 120),
      description: singleLine(type, 60),
    }))
  },
  async complete(client, typed) {
    const sections = await client.get('/v1/knowledge-base')
    const wanted = typed.toLowerCase()
    const fits = ({ id, title, type }: (typeof sections)[number]) =>
      id.startsWith(wanted) || [title, type].some((text) => text.toLowerCase().includes(wanted))
    return sections.filter(fits).map(({ id }) => id)
  },
}

const formatSignal = ({ id, name, description, enabled, findings_30d }: Schemas['Signal']) =>
  `- \`${id}\` ${quoteName(name)}${enabled ? '' : ' (disabled)'}, found ${findings_30d} times in 30 days: ${singleLine(description, 300)}`

const signalCatalogueResource: ResourceDefinition = {
  name: 'signals',
  title: 'Signal catalogue',
  description: 'Every signal that is detected: its id for discover and whats_new, and its meaning.',
  uri: 'bellwether://signals',
  read: async (client) => ['# Signals', ...(await client.get('/v1/signals')).map(formatSignal)].join('\n'),
}

const signalResource: ResourceDefinition = {
  name: 'signal',
  title: 'Signal',
  description: 'One signal: its meaning and how often it was found.',
  uri: new UriTemplate('bellwether://signals/{id}'),
  async read(client, nameOrId) {
    const [id = ''] = await resolveSignalIds(client, [nameOrId])
    return formatSignal(await client.get('/v1/signals/{id}', { path: { id } }))
  },
  async complete(client, typed) {
    const signals = await client.get('/v1/signals')
    const wanted = typed.toLowerCase()
    return signals
      .filter(({ id, name }) => id.includes(wanted) || name.toLowerCase().includes(wanted))
      .map(({ id }) => id)
  },
}

export const RESOURCES: readonly ResourceDefinition[] = [
  accountResource,
  personResource,
  knowledgeSectionResource,
  signalCatalogueResource,
  signalResource,
]

export function registerResource(server: McpServer, client: Bellwether, resource: ResourceDefinition): void {
  const { name, title, description, uri: template, read, list, complete } = resource
  const config = { title, description, mimeType: RESOURCE_MIME_TYPE }
  const readContents = async ({ href: uri }: URL, id: string) => {
    const text = await read(client, id).catch((error) => throwReadError(uri, error))
    return { contents: [{ uri, mimeType: RESOURCE_MIME_TYPE, text }] }
  }
  if (typeof template === 'string') {
    server.registerResource(name, template, config, (uri) => readContents(uri, ''))
    return
  }
  const resourceTemplate = new ResourceTemplate(template, {
    list:
      list &&
      (async () => ({ resources: (await list(client)).map((one) => ({ mimeType: RESOURCE_MIME_TYPE, ...one })) })),
    ...(complete ? { complete: { id: (typed) => complete(client, typed) } } : {}),
  })
  server.registerResource(name, resourceTemplate, config, (uri, { id }) => readContents(uri, decodeUriPart(String(id))))
}
