// The press releases and the hand labels on them. The texts stay outside the repository; labels hold offsets only.
import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { DetectInput, SignalId } from '../src/engine/detect.ts'

export type Half = 'tune' | 'test'
type Place = { field: 'title' | 'text'; start: number; end: number }
type Label = { id: string; company: Place; signals: (Place & { signal_id: SignalId })[] }
type Release = { id: string; date: string; title: string; url: string; text: string }

/** One company in one document, with the signals a reader found and where. */
export type Entry = { input: DetectInput; signals: Map<SignalId, Place>; date: string }

/** The path of the press releases: the first argument, or BELLWETHER_PRESS_RELEASES. Ends the run when it is missing. */
export function pressReleasesPath(): string {
  const path = process.argv.slice(2).find((argument) => argument !== 'tune') ?? process.env.BELLWETHER_PRESS_RELEASES
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
        text: release.text,
        url: release.url,
        published_at: release.date,
      },
      signals: new Map(label.signals.map((signal) => [signal.signal_id, signal])),
      date: release.date,
    })
  }
  return entries
}
