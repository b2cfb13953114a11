import { countryCode } from '../providers/countries.ts'
import { type FoundDomain, resolveDomain } from '../providers/firmographics/wikidata.ts'
import { enabledRegisters } from '../providers/registers/index.ts'
import type { Lead, ProviderDeps, SiteHints } from '../providers/types.ts'
import {
  createPageReader,
  findGuessedSite,
  findNamedSite,
  findNamedSites,
  isPublisher,
  type PageReader,
  type SiteSearch,
} from '../providers/web/own-site.ts'
import { addressWitnesses } from '../providers/web/witnesses.ts'

/** The limit of stories about one company in which its site is searched. */
const MAX_STORIES = 3
/** Facts checked on one page. */
const MAX_WITNESSES = 40

/** The outcome of a query about one company, for the report of the source: the reason of a failure, or null. */
export type ReportLookup = (source: string, failure: string | null) => void

/**
 * Searches the domain of the company that leads are about: a site that a story or filing leads to and that uses its
 * name, Wikidata, or a site at a domain formed from the name that shows what the leads or a register state. Throws only when
 * the signal aborts.
 */
export async function resolveCompany(
  deps: ProviderDeps,
  leads: readonly Lead[],
  report: ReportLookup,
): Promise<SiteSearch> {
  const { name } = (leads[0] as Lead).company
  const readsSites = deps.config.SOURCES.has('website')
  const reader = createPageReader(deps)
  const attempts: string[] = []
  const hints = readsSites ? await collectHints(reader, name, leads) : noHints()
  if (readsSites) {
    const named = await findNamedSite(reader, name, hints.named)
    if (named.domain) return named
    attempts.push(...(named.attempts.length > 0 ? named.attempts : [`${sourceOf(leads)} names no website.`]))
  }
  if (deps.config.SOURCES.has('wikidata')) {
    const found = await resolveDomain(deps, { name, country: hints.country })
    deps.signal.throwIfAborted()
    report('Wikidata', found.outcome === 'failed' ? found.reason : null)
    if (found.outcome === 'found' && !isPublisher(found.domain)) return { domain: found.domain, attempts }
    attempts.push(describeFound(found))
  }
  if (!readsSites) return { domain: null, attempts }
  const registered = await findRegistered(deps, name, hints.country, report)
  attempts.push(...registered.attempts)
  const witnesses = [...new Set([...hints.witnesses, ...registered.witnesses])].slice(0, MAX_WITNESSES)
  const headlines = leads.flatMap(({ document }) => (document.kind === 'filing' ? [] : (document.title ?? [])))
  const country = hints.country ?? registered.country
  const guessed = await findGuessedSite(reader, name, { witnesses, headlines }, country)
  return { domain: guessed.domain, attempts: [...attempts, ...guessed.attempts] }
}

const describeFound = (found: FoundDomain) =>
  found.outcome === 'found' ? `Wikidata: ${found.domain}, which is no company's own site.` : found.reason

const noHints = (): SiteHints => ({ named: [], witnesses: [] })

const SOURCE_NOUNS = { filing: 'The filing', article: 'The release', mention: 'The source', page: 'The page' } as const

function sourceOf(leads: readonly Lead[]): string {
  const kind = leads[0]?.document.kind
  return kind && kind !== 'posting' ? SOURCE_NOUNS[kind] : 'The source'
}

/** What the leads state about the company. Filings first, because they need no fetch. */
async function collectHints(reader: PageReader, name: string, leads: readonly Lead[]): Promise<SiteHints> {
  const best = leads.toSorted((a, b) => Number(!a.hints) - Number(!b.hints)).slice(0, MAX_STORIES)
  const all: SiteHints[] = []
  for (const { hints, document } of best) all.push(hints ?? (await hintsIn(reader, name, document.url)))
  const country = all.map((hints) => hints.country).find((one) => one !== undefined)
  return {
    named: [...new Set(all.flatMap(({ named }) => named))].filter((domain) => !isPublisher(domain)),
    witnesses: all.flatMap(({ witnesses }) => witnesses),
    ...(country && { country }),
  }
}

/** The sites that the page of a story names for the company. */
async function hintsIn(reader: PageReader, name: string, url: string): Promise<SiteHints> {
  const story = await reader.read(url)
  return { named: story ? findNamedSites(name, story.page) : [], witnesses: [] }
}

type Registered = { witnesses: string[]; country: string | undefined; attempts: string[] }

/** The address of the only company of the name in the public registers, in the country of the leads if that is known. */
async function findRegistered(
  deps: ProviderDeps,
  name: string,
  country: string | undefined,
  report: ReportLookup,
): Promise<Registered> {
  const found: Registered = { witnesses: [], country: undefined, attempts: [] }
  for (const register of enabledRegisters(deps.config)) {
    const answer = await register.search(deps, name)
    deps.signal.throwIfAborted()
    report(register.name, answer.outcome === 'failed' ? answer.reason : null)
    if (answer.outcome === 'failed') {
      found.attempts.push(answer.reason)
      continue
    }
    // An incomplete list may lack another company of the name.
    if (answer.outcome === 'items' && answer.reason !== undefined) {
      found.attempts.push(answer.reason)
      continue
    }
    const records = answer.outcome === 'items' ? answer.items.filter(({ is_active }) => is_active) : []
    const here = records.filter((record) => !country || !record.country || countryCode(record.country) === country)
    const [only, ...others] = here
    if (!only || others.length > 0) {
      const number = here.length === 0 ? 'no company' : `${here.length} companies`
      found.attempts.push(`${register.name}: ${number} of this name${country ? ' in its country' : ''}.`)
      continue
    }
    const { street, city, postal_code } = only
    found.witnesses.push(...addressWitnesses({ street, city, postal_code }))
    found.country ??= countryCode(only.country) ?? undefined
    found.attempts.push(`${register.name}: one company of this name, but no website.`)
  }
  return found
}
