import type { RawDocument } from '../content/read.ts'
import { dateAt, listAt, textAt } from '../json/fields.ts'
import { decodeText } from '../text/decode.ts'
import { cutText, toStorable, tryParseJson } from '../text/storable.ts'
import { registrableDomain } from '../text/web-address.ts'

/** The list has the 50 latest. */
const MAX_INCIDENTS = 50
const MAX_TEXT_CHARS = 20_000

/** What was told about one incident, in its order. */
export type Incident = { url: string; kind: 'page'; title: string; text: string; published_date: string }

export type StatusPageTask = RawDocument & {
  company: { name: string; domain: string | null }
  origin: string
  /** Older incidents are left out. */
  since: string
}

/** Bounded by MAX_INCIDENTS and MAX_TEXT_CHARS; without incidents where the page is another company's. */
export type StatusPage = { outcome: 'read'; incidents: Incident[] } | { outcome: 'no-json' } | { outcome: 'misshapen' }

export function readIncidents({ body, contentType, company, origin, since }: StatusPageTask): StatusPage {
  const answer = tryParseJson(decodeText(body, contentType))
  if (answer === undefined) return { outcome: 'no-json' }
  const incidents = listAt(answer, 'incidents')
  const name = textAt(answer, 'page', 'name')
  if (!incidents || !name) return { outcome: 'misshapen' }
  if (!isTheirs(answer, company, origin)) return { outcome: 'read', incidents: [] }
  const latest = incidents.slice(0, MAX_INCIDENTS).flatMap((incident) => incidentOf(incident, name, origin, since))
  return { outcome: 'read', incidents: latest }
}

/** A link alone may lead to the page of a supplier: it has to be on the company's domain, or to bear its name. */
function isTheirs(answer: unknown, { name, domain }: StatusPageTask['company'], origin: string): boolean {
  const own = domain && registrableDomain(domain)
  if (own && [origin, textAt(answer, 'page', 'url') ?? ''].some((url) => registrableDomain(url) === own)) return true
  const folded = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return folded((textAt(answer, 'page', 'name') ?? '').replace(/\bstatus\b/i, '')) === folded(name)
}

function incidentOf(incident: unknown, page: string, origin: string, since: string): Incident[] {
  const [id, title, day] = [textAt(incident, 'id'), textAt(incident, 'name'), dateAt(incident, 'created_at')]
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
const textOf = (text: string): string => toStorable(cutText(text, MAX_TEXT_CHARS))
