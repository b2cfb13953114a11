import { appendFileSync, readFileSync } from 'node:fs'

/** With `--quick` a benchmark uses fewer rows and seconds: enough for a ratio, too little for a published figure. */
export const isQuick = process.argv.includes('--quick')

/**
 * One line of the table: the measured value, next to a limit measured in the same run (then the target is a share of it), or
 * next to a figure that it must not exceed. A peer is an alternative product doing the same.
 */
export type Result = { path: string; ours: number; unit: string } & (
  | { limit: number; aim: number | null; peer?: number }
  | { atMost: number | null }
)

/** Prints a line, and passes it to bench/run.ts for the table over all rounds. A figure that is not available on this machine is NaN. */
export function report(result: Result): void {
  if (Number.isNaN(result.ours)) {
    console.log(`${result.path.padEnd(44)} not measured`)
    return
  }
  console.log(lineOf(result))
  if (process.env.BENCH_RESULTS) appendFileSync(process.env.BENCH_RESULTS, `${JSON.stringify(result)}\n`)
}

function lineOf(result: Result): string {
  const parts = [result.path.padEnd(44), `${shortly(result.ours)} ${result.unit}`.padEnd(20)]
  if ('limit' in result) {
    parts.push(`limit ${shortly(result.limit)}`.padEnd(16), `ratio ${(result.ours / result.limit).toFixed(2)}`)
    if (result.aim !== null) parts.push(` (aim ${result.aim.toFixed(2)})`)
    if (result.peer) parts.push(`  peer ${shortly(result.peer)}, ratio ${(result.ours / result.peer).toFixed(1)}`)
  } else if (result.atMost !== null) parts.push(`aim ${shortly(result.atMost)}`)
  return parts.join(' ').trimEnd()
}

/** The table of a results file: the median of the rounds, and their range. */
export function tableOf(file: string): string {
  const byPath = new Map<string, Result[]>()
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const result = JSON.parse(line) as Result
    byPath.set(result.path, [...(byPath.get(result.path) ?? []), result])
  }
  const rows = [...byPath.values()].map((rounds) => {
    const [first] = rounds as [Result]
    const ours = `${spread(rounds.map(({ ours }) => ours))} ${first.unit}`
    if (!('limit' in first)) {
      const isMissed = first.atMost !== null && median(rounds.map(({ ours }) => ours)) > first.atMost
      const aim = first.atMost === null ? '' : `${shortly(first.atMost)} ${first.unit}`
      return [first.path, isMissed ? `**${ours}**` : ours, '', '', aim, '', '']
    }
    const compared = rounds as (Result & { limit: number })[]
    const ratios = compared.map(({ ours, limit }) => ours / limit)
    const ratio = spread(ratios, (value) => value.toFixed(2))
    const isMissed = first.aim !== null && median(ratios) < first.aim
    return [
      first.path,
      ours,
      spread(compared.map(({ limit }) => limit)),
      isMissed ? `**${ratio}**` : ratio,
      first.aim?.toFixed(2) ?? '',
      ...peerCells(compared),
    ]
  })
  const head = ['path', 'ours', 'limit', 'ratio', 'aim', 'peer', 'ratio']
  return [head, head.map(() => '-'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function peerCells(rounds: { ours: number; peer?: number }[]): [string, string] {
  const compared = rounds.filter((round): round is { ours: number; peer: number } => round.peer !== undefined)
  if (compared.length === 0) return ['', '']
  const ratios = compared.map(({ ours, peer }) => ours / peer)
  return [spread(compared.map(({ peer }) => peer)), spread(ratios, (value) => value.toFixed(1))]
}

function spread(values: number[], write: (value: number) => string = shortly): string {
  const middle = write(median(values))
  return values.length === 1 ? middle : `${middle} (${write(Math.min(...values))} to ${write(Math.max(...values))})`
}

/** The median; of an even number the mean of the two in the middle. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]] as [number, number]
  return (low + high) / 2
}

const shortly = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 })
