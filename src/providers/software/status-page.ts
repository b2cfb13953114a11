import { siteOf } from '../../engine/content/site.ts'
import { cutText, storable } from '../../engine/storable.ts'
import { askJson, failed, misshapen } from '../ask.ts'
import { dayAt, listAt, textAt } from '../json.ts'
import { type CompanyRef, type Found, type FoundDocument, items, type ProviderDeps } from '../types.ts'
import { paceOf, robotsOf } from '../web/robots.ts'

export const STATUS_PAGES = 'Status pages'

const MAX_BYTES = 2 * 1024 * 1024
/** The list has the 50 latest. */
const MAX_INCIDENTS = 50
const MAX_TEXT_CHARS = 20_000

/** The incidents that a company's status page tells of since a day, where the page is one of Statuspage or made like one. */
export async function readStatusPage(
  deps: ProviderDeps,
  company: CompanyRef,
  origin: string,
  since: string,
): Promise<Found<FoundDocument>> {
  const url = `${origin}/api/v2/incidents.json`
  const robots = await robotsOf(deps, origin)
  if (!robots.known) return failed(robots.reason)
  if (!robots.allows(url)) return failed('The robots.txt of the status page asks not to read its incidents.')
  const options = { pace: paceOf(deps, robots.delayMs), maxBytes: MAX_BYTES, trust: 'public' as const }
  const asked = await askJson(withSiteHealth(deps), STATUS_PAGES, url, options)
  if (asked.outcome !== 'answer') return asked
  const incidents = listAt(asked.value, 'incidents')
  const name = textAt(asked.value, 'page', 'name')
  if (!incidents || !name) return misshapen(deps, STATUS_PAGES)
  if (!isTheirs(asked.value, company, origin)) return { outcome: 'nothing' }
  return items(incidents.slice(0, MAX_INCIDENTS).flatMap((incident) => documentOf(incident, name, origin, since)))
}

/** Every page stands on its own: that one does not answer says nothing about the others. Only that they can be read is noted. */
function withSiteHealth(deps: ProviderDeps): ProviderDeps {
  const report: ProviderDeps['health']['report'] = async (source, problem) => {
    if (problem === null) await deps.health.report(source, null)
  }
  return { ...deps, health: { report } }
}

/** A link alone may lead to the page of a supplier: it has to be on the company's domain, or to bear its name. */
function isTheirs(answer: unknown, { name, domain }: CompanyRef, origin: string): boolean {
  const own = domain && siteOf(domain)
  if (own && [origin, textAt(answer, 'page', 'url') ?? ''].some((url) => siteOf(url) === own)) return true
  const folded = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return folded((textAt(answer, 'page', 'name') ?? '').replace(/\bstatus\b/i, '')) === folded(name)
}

/** Everything that was told about it, in its order. */
function documentOf(incident: unknown, page: string, origin: string, since: string): FoundDocument[] {
  const [id, title, day] = [textAt(incident, 'id'), textAt(incident, 'name'), dayAt(incident, 'created_at')]
  if (!id || !title || !day || day < since || !/^[\w-]{1,100}$/.test(id)) return []
  const updates = (listAt(incident, 'incident_updates') ?? []).toReversed().map((update) => textAt(update, 'body'))
  const told = [...updates, textAt(incident, 'postmortem_body')].filter((text) => text !== null)
  if (told.length === 0) return []
  return [
    {
      url: `${origin}/incidents/${id}`,
      kind: 'page',
      title: textOf(`${page} - ${title}`),
      text: textOf(told.map(withoutTags).join('\n')),
      published_date: day,
    },
  ]
}

const withoutTags = (text: string): string =>
  cutText(text, MAX_TEXT_CHARS)
    .replaceAll(/<[^<>]{0,500}>/g, ' ')
    .trim()
const textOf = (text: string): string => storable(cutText(text, MAX_TEXT_CHARS))
