// Parses the incidents of a status page in the format of Statuspage, which other vendors share.
import type { RawDocument } from '../content/read.ts'
import { dateAt, isFieldMissing, listAt, textAt } from '../json/fields.ts'
import { decodeText } from '../text/decode.ts'
import { cutText, toStorable, tryParseJson } from '../text/storable.ts'
import { registrableDomain } from '../text/web-address.ts'

/** The list contains the 50 latest. */
const MAX_INCIDENTS = 50
const MAX_TEXT_CHARS = 20_000

/** The updates of one incident, in order. */
export type StatusIncident = { url: string; kind: 'page'; title: string; text: string; published_date: string }

export type StatusPageTask = RawDocument & {
  company: { name: string; domain: string | null }
  origin: string
  /** Earlier incidents are dropped. */
  since: string
}

/** Bounded by MAX_INCIDENTS and MAX_TEXT_CHARS; empty if the page belongs to another company. */
export type StatusPageResult =
  | { outcome: 'read'; incidents: StatusIncident[] }
  | { outcome: 'no-json' }
  | { outcome: 'misshapen' }

export function parseIncidents({ body, contentType, company, origin, since }: StatusPageTask): StatusPageResult {
  const answer = tryParseJson(decodeText(body, contentType))
  if (answer === undefined) return { outcome: 'no-json' }
  const incidents = listAt(answer, 'incidents')
  const name = textAt(answer, 'page', 'name')
  const updates = (incidents ?? []).flatMap((incident) => listAt(incident, 'incident_updates') ?? [])
  const areMissing = isFieldMissing(incidents ?? [], 'id', 'name', 'created_at', 'incident_updates')
  if (!incidents || !name || areMissing || isFieldMissing(updates, 'body')) return { outcome: 'misshapen' }
  if (!isTheirs(answer, company, origin)) return { outcome: 'read', incidents: [] }
  const latest = incidents.slice(0, MAX_INCIDENTS).flatMap((incident) => toIncident(incident, name, origin, since))
  return { outcome: 'read', incidents: latest }
}

/** A link may lead to the page of a supplier, so the page must be on the company's domain or have its name. */
function isTheirs(answer: unknown, { name, domain }: StatusPageTask['company'], origin: string): boolean {
  const own = domain && registrableDomain(domain)
  if (own && [origin, textAt(answer, 'page', 'url') ?? ''].some((url) => registrableDomain(url) === own)) return true
  const folded = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return folded((textAt(answer, 'page', 'name') ?? '').replace(/\bstatus\b/i, '')) === folded(name)
}

function toIncident(incident: unknown, page: string, origin: string, since: string): StatusIncident[] {
  const [id, title, day] = [textAt(incident, 'id'), textAt(incident, 'name'), dateAt(incident, 'created_at')]
  if (!id || !title || !day || day < since || !/^[\w-]{1,100}$/.test(id)) return []
  const updates = (listAt(incident, 'incident_updates') ?? []).toReversed().map((update) => textAt(update, 'body'))
  const texts = [...updates, textAt(incident, 'postmortem_body')].filter((text) => text !== null)
  if (texts.length === 0) return []
  return [
    {
      url: `${origin}/incidents/${id}`,
      kind: 'page',
      title: textOf(`${page} - ${title}`),
      text: textOf(texts.map(withoutTags).join('\n')),
      published_date: day,
    },
  ]
}

const withoutTags = (text: string): string =>
  cutText(text, MAX_TEXT_CHARS)
    .replaceAll(/<[^<>]{0,500}>/g, ' ')
    .trim()
const textOf = (text: string): string => toStorable(cutText(text, MAX_TEXT_CHARS))
