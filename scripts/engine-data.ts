// The press releases and the hand labels on them. The texts stay outside the repository; labels hold offsets only.
import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { DetectInput } from '../src/engine/detect/index.ts'
import type { SignalId } from '../src/engine/signals/index.ts'

export type Half = 'tune' | 'test' | 'fresh'
type Place = { field: 'title' | 'text'; start: number; end: number }
/** `read`: only so many characters of the text were read; what comes later is unknown and is left out. */
type Label = { id: string; company: Place; signals: (Place & { signal_id: SignalId })[]; read?: number }
type Release = { id: string; date: string; title: string; url: string; text: string }

/** One company in one document, with the signals a reader found and where. */
export type Entry = {
  input: DetectInput
  signals: Map<SignalId, Place>
  date: string
  /** What it is made of: a whole document, only a part of one, or a plain sentence. */
  kind: 'whole' | 'short' | 'textbook'
  /** Signals that nobody has decided for this part of the document. */
  unknown?: Set<SignalId>
}

/** The path of the press releases: the first argument, or BELLWETHER_PRESS_RELEASES. Ends the run when it is missing. */
export function pressReleasesPath(): string {
  const path =
    process.argv.slice(2).find((argument) => !['tune', 'test', 'fresh'].includes(argument)) ??
    process.env.BELLWETHER_PRESS_RELEASES
  if (path && existsSync(path)) return path
  console.error(
    path
      ? `There is no file ${path}.`
      : 'Give the path of press-releases.ndjson.gz as argument or in BELLWETHER_PRESS_RELEASES.',
  )
  console.error('The press releases are not part of the repository; see docs/engine.md.')
  process.exit(2)
}

export function readReleases(path: string): Map<string, Release> {
  const bytes = readFileSync(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  const releases = new Map<string, Release>()
  for (const line of text.split('\n')) {
    if (line === '') continue
    const release = JSON.parse(line) as Release
    releases.set(release.id, release)
  }
  return releases
}

export function readEntries(releases: Map<string, Release>, half: Half): Entry[] {
  const file = new URL(`../test/fixtures/labels/${half}.ndjson`, import.meta.url)
  const entries: Entry[] = []
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue
    const label = JSON.parse(line) as Label
    const release = releases.get(label.id)
    if (!release) continue
    const { field, start, end } = label.company
    entries.push({
      input: {
        id: label.id,
        company: { name: release[field].slice(start, end) },
        title: release.title,
        text: label.read === undefined ? release.text : release.text.slice(0, label.read),
        url: release.url,
        published_at: release.date,
      },
      signals: new Map(label.signals.map((signal) => [signal.signal_id, signal])),
      date: release.date,
      kind: 'whole',
    })
  }
  return entries
}

/** Told so early, a signal may be taken for told by the headline as well, if the headline speaks of such a thing at all. */
const EARLY = 600
const LEAD = 450

/**
 * The headline alone and the opening alone, as feeds and search results give them. A signal told elsewhere in the
 * document is unknown for the part.
 */
export function shortened(entries: Entry[]): Entry[] {
  return entries.flatMap((entry) => {
    const { input, signals } = entry
    const title = input.title ?? ''
    const lead = input.text.slice(0, leadEnd(input.text))
    const part = (text: string, headline: string, tells: (place: Place) => boolean): Entry => {
      const told = [...signals].filter(([, place]) => tells(place))
      return {
        ...entry,
        kind: 'short',
        input: { ...input, title: headline, text },
        signals: new Map(told),
        unknown: new Set([...signals.keys()].filter((signal) => !told.some(([name]) => name === signal))),
      }
    }
    const parts: Entry[] = []
    if (title !== '') parts.push(part('', title, ({ field, start }) => field === 'title' || start < EARLY))
    if (lead !== '') parts.push(part(lead, '', ({ field, end }) => field === 'text' && end <= lead.length))
    return parts
  })
}

function leadEnd(text: string): number {
  if (text.length <= LEAD) return text.length
  const stop = text.indexOf('. ', LEAD)
  return stop < 0 || stop > LEAD + 300 ? LEAD : stop + 1
}

/** Plain statements with invented companies: those to learn from, or others to test with. */
export function readTextbook(name: 'textbook' | 'plain' = 'textbook'): Entry[] {
  const file = new URL(`../test/fixtures/labels/${name}.txt`, import.meta.url)
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  return lines.flatMap((line, i) => {
    const [title, text, companies] = line.split('|') as [string, string, string]
    return companies.split(';').map((item): Entry => {
      const [name, signals] = item.split('=').map((part) => part.trim()) as [string, string]
      const place: Place =
        text === '' ? { field: 'title', start: 0, end: title.length } : { field: 'text', start: 0, end: text.length }
      const date = '2025-05-01'
      return {
        input: { id: `${name}-${i}`, company: { name }, title, text, published_at: date },
        signals: new Map(
          signals
            .split(',')
            .filter(Boolean)
            .map((signal) => [signal as SignalId, place]),
        ),
        date,
        kind: 'textbook',
      }
    })
  })
}
