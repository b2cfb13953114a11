// node scripts/eval-feedback.ts <file of "bellwether export feedback">: how often a workspace marked findings right, and the
// result of the current engine on the same texts.

import { Classifier } from '../src/engine/classifier/index.ts'
import { detect } from '../src/engine/detect/index.ts'
import { findBuiltinSignal, type SignalId } from '../src/engine/signals/index.ts'
import { examplesOf, readRows } from './reader-data.ts'

type Judged = { finding: string; signal_id: string; verdict: 'right' | 'wrong'; confidence: number }
type JudgedRow = ReturnType<typeof readRows>[number] & { feedback: Judged }

const rows = readRows(process.argv[2] as string) as JudgedRow[]
printVerdicts(rows)
await printEngine(rows)

/** A finding counts once, however many pages report it. */
function printVerdicts(rows: readonly JudgedRow[]): void {
  const findings = [...new Map(rows.map(({ feedback }) => [feedback.finding, feedback])).values()]
  console.log(`\n## ${findings.length} findings of the workspace, as its members judged them\n`)
  console.log('| signal | judged | right | wrong | precision |\n|---|---|---|---|---|')
  for (const [signal, judged] of bySignal(findings, ({ signal_id }) => signal_id)) {
    const right = judged.filter(({ verdict }) => verdict === 'right').length
    console.log(
      `| ${signal} | ${judged.length} | ${right} | ${judged.length - right} | ${share(right, judged.length)} |`,
    )
  }
  console.log('\n| confidence | judged | precision |\n|---|---|---|')
  const byConfidence = Map.groupBy(findings, ({ confidence }) => Math.min(9, Math.floor(confidence * 10)))
  for (const low of [...byConfidence.keys()].sort()) {
    const judged = byConfidence.get(low) ?? []
    const right = judged.filter(({ verdict }) => verdict === 'right').length
    console.log(`| ${low / 10} - ${(low + 1) / 10} | ${judged.length} | ${share(right, judged.length)} |`)
  }
}

/** Only the judged signal of each text is classified: there is no feedback on other signals. */
async function printEngine(rows: readonly JudgedRow[]): Promise<void> {
  const classifier = new Classifier({ threads: 2 })
  const asked: { signal: string; isRight: boolean; isFound: boolean }[] = []
  for (const row of rows) {
    const { signal_id, verdict } = row.feedback
    const [example] = examplesOf(row)
    if (!example || !findBuiltinSignal(signal_id) || (!row.title && row.sents.length === 0)) continue
    const [result] = await detect([example.input], { classifier })
    const isFound = result?.detections.some((found) => found.signal_id === (signal_id as SignalId)) ?? false
    asked.push({ signal: signal_id, isRight: verdict === 'right', isFound })
  }
  await classifier.close()
  if (asked.length === 0) return
  console.log(`\n## ${asked.length} texts as today's engine reads them\n`)
  console.log('| signal | texts | found | precision | recall |\n|---|---|---|---|---|')
  for (const [signal, texts] of bySignal(asked, (one) => one.signal)) {
    const found = texts.filter(({ isFound }) => isFound)
    const right = found.filter(({ isRight }) => isRight).length
    const told = texts.filter(({ isRight }) => isRight).length
    console.log(
      `| ${signal} | ${texts.length} | ${found.length} | ${share(right, found.length)} | ${share(right, told)} |`,
    )
  }
}

function bySignal<T>(all: readonly T[], signalOf: (one: T) => string): [string, T[]][] {
  const groups = [...Map.groupBy(all, signalOf)].sort(([a], [b]) => a.localeCompare(b))
  return [...groups, ['all', [...all]]]
}

function share(part: number, all: number): string {
  return all === 0 ? '' : (part / all).toFixed(2)
}
