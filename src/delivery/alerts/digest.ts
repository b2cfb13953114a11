import type { AlertSchedule } from '../../db/alert-tables.ts'
import type { Db } from '../../db/connect.ts'
import { splitMarkdownSentences } from '../../engine/draft/quoting.ts'
import type { Reach } from './content-store.ts'
import { type DigestRow, readDigestRows } from './digest-store.ts'

export type DigestEntry = {
  account: { id: string; name: string; domain: string | null; score: number; url: string | null }
  events: { headline: string; signal_name: string; date: string; source_url: string | null }[]
  /** The person to contact, and the opening of the draft to them. */
  person: { full_name: string; title: string | null; email: string | null } | null
  draft_opening: string | null
  /** The reason to contact them, when it is an earlier event. */
  about: string | null
  /** Whether a person to contact is still to be found. */
  is_contact_missing: boolean
}

export type Digest = {
  schedule: 'at_once' | 'weekdays' | 'mondays'
  rule_name: string
  recipient_name: string
  entries: DigestEntry[]
  total: number
}

const OPENING_SENTENCES = 2

type Heading = { schedule: AlertSchedule; rule_name: string; recipient_name: string }

/** The accounts of an alert as a message to a person reads them. Null when nothing is left to report. */
export async function readDigest(
  db: Db,
  reach: Reach,
  alertId: string,
  heading: Heading,
  publicUrl: string | null,
): Promise<Digest | null> {
  const rows = await readDigestRows(db, reach, alertId)
  if (rows.length === 0) return null
  return { ...heading, entries: rows.map((row) => toEntry(row, publicUrl)), total: rows[0]?.total ?? 0 }
}

function toEntry(row: DigestRow, publicUrl: string | null): DigestEntry {
  const { id, name, domain, score, events, person, drafted_message_md, about, has_work_item } = row
  return {
    account: { id, name, domain, score, url: publicUrl && `${publicUrl}/accounts/${id}` },
    events: events.map(({ source_url, ...event }) => ({ ...event, source_url: webUrl(source_url) })),
    person,
    draft_opening: drafted_message_md && openingOf(drafted_message_md),
    about,
    is_contact_missing: has_work_item && person === null,
  }
}

/** The first sentences of a drafted message, without its subject and greeting. */
export function openingOf(draft: string): string | null {
  const [first = '', ...rest] = draft.trim().split(/\n{2,}/)
  const paragraphs = /^\**Subject:/.test(first) ? rest : [first, ...rest]
  const body = /^(?:Hi [^,\n]+|Hello),$/.test(paragraphs[0] ?? '') ? paragraphs.slice(1) : paragraphs
  return plainSentences(body.join('\n')).slice(0, OPENING_SENTENCES).join(' ') || null
}

/** The sentences of a Markdown text as plain text; of a link its text remains. */
function plainSentences(markdown: string): string[] {
  const withoutLinks = markdown.replaceAll(/\[([^[\]\n]{0,500})\]\([^()\s]{1,2000}\)/g, '$1')
  return splitMarkdownSentences(withoutLinks).map((sentence) => sentence.replaceAll(/\\([^\w\s])/g, '$1'))
}

const webUrl = (url: string | null) => (url && /^https?:\/\//i.test(url) ? url : null)

/** An invented account, to show what arrives where. */
export function sampleDigest(heading: Heading, publicUrl: string | null): Digest {
  const account = { id: 'sample', name: 'Sample account', domain: 'sample.example', score: 72, url: publicUrl }
  const headline = 'This is a test from Bellwether: alerts of this rule arrive here.'
  const event = { headline, signal_name: 'Funding', date: '2026-11-12' }
  const person = { full_name: 'Mara Sample', title: 'Chief Financial Officer', email: 'mara@sample.example' }
  return {
    ...heading,
    entries: [
      {
        account,
        events: [{ ...event, source_url: null }],
        person,
        ...{ draft_opening: null, about: null, is_contact_missing: false },
      },
    ],
    total: 1,
  }
}
