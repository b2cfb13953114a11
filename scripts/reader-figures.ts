// How well findings match the labels, as Markdown tables.
import { SIGNAL_IDS, type SignalId } from '../src/engine/signals/index.ts'
import type { Example } from './reader-data.ts'

/** The findings for an organisation of a document, with their confidence. */
export type Judged = { example: Example; found: Map<SignalId, number> }
type Tally = { right: number; wrong: number; missed: number }

export function groupsOf(judged: readonly Judged[], key: (example: Example) => string): [string, Judged[]][] {
  return [...Map.groupBy(judged, ({ example }) => key(example))].sort((a, b) => b[1].length - a[1].length)
}

export type Line = readonly [name: string, judged: readonly Judged[], signal?: SignalId | null]

export function printTable(title: string, lines: readonly Line[], threshold: number): void {
  console.log(`| ${title} | reported | precision | recall | F1 | alarms |`)
  console.log('|---|---|---|---|---|---|')
  for (const [name, judged, signal] of lines) {
    const { told, precision, recall, f1, alarms } = figures(judged, signal ?? null, threshold)
    console.log(`| ${name} | ${told} | ${precision} | ${recall} | ${f1} | ${alarms} |`)
  }
  console.log()
}

function figures(judged: readonly Judged[], only: SignalId | null, threshold: number) {
  const sum: Tally = { right: 0, wrong: 0, missed: 0 }
  let quiet = 0
  let alarmed = 0
  for (const one of judged) {
    let alarm = false
    for (const id of only ? [only] : SIGNAL_IDS) {
      const found = (one.found.get(id) ?? 0) >= threshold
      const told = one.example.signals.has(id)
      if (found && told) sum.right++
      else if (found) sum.wrong++
      else if (told) sum.missed++
      alarm ||= found
    }
    if (one.example.signals.size > 0) continue
    quiet++
    if (alarm) alarmed++
  }
  const { right, wrong, missed } = sum
  return {
    told: right + missed,
    precision: share(right, right + wrong),
    recall: share(right, right + missed),
    f1: share(2 * right, 2 * right + wrong + missed),
    alarms: share(alarmed, quiet),
  }
}

export function share(part: number, all: number): string {
  return all === 0 ? '' : (part / all).toFixed(3)
}
