import { existsSync, readFileSync } from 'node:fs'
import autocannon from 'autocannon'
import { median } from './results.ts'

/** What benchmarks measure with. Figures of another process come from /proc; where there is none they are NaN. */

const SAMPLED_EVERY_MS = 50
const hasProc = existsSync('/proc/self/stat')

/** Milliseconds of processor time since a process has started, 0 when it has ended; the kernel counts in hundredths of a second. */
export function processorTimeOf(pid: number | undefined): number {
  const fields = read(pid, 'stat').split(') ')[1]?.split(' ')
  if (fields) return (Number(fields[11]) + Number(fields[12])) * 10
  return hasProc ? 0 : Number.NaN
}

/** Megabytes that a process holds. */
export const residentOf = (pid: number | undefined) => memoryOf(pid, 'VmRSS')

/** The most megabytes that a process has ever held. */
export const mostResidentOf = (pid: number | undefined) => memoryOf(pid, 'VmHWM')

/** Looks at the memory of a process until the answered function is called, which tells the most megabytes it held meanwhile. */
export function watchMemory(pid: number | undefined): () => number {
  let peak = Number.NaN
  const timer = setInterval(() => {
    const held = residentOf(pid)
    // NaN when the process has ended before the watch has.
    if (held > (peak || 0)) peak = held
  }, SAMPLED_EVERY_MS)
  return () => {
    clearInterval(timer)
    return peak
  }
}

function memoryOf(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  const line = read(pid, 'status').match(new RegExp(`^${field}:\\s+(\\d+)`, 'm'))
  return Number(line?.[1]) / 1024
}

function read(pid: number | undefined, file: 'stat' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

export type Load = { rate: number; requests: number; p99: number }

/** Puts load on an address. Throws unless every answer is what was asked for: 304 for whoever sends an etag, else a success. */
export async function load(options: autocannon.Options): Promise<Load> {
  const result = await autocannon(options)
  const wanted = options.headers?.['if-none-match'] ? /^304$/ : /^2/
  const others = Object.entries(result.statusCodeStats ?? {}).filter(([status]) => !wanted.test(status))
  const refused = others.reduce((sum, [, { count = 0 }]) => sum + count, 0)
  if (refused > 0 || result.errors > 0) throw new Error(`${options.url}: ${refused} refused, ${result.errors} failed`)
  const requests = result.requests.total
  // Its own average is made of whole seconds, of which a short run has few.
  return { rate: requests / result.duration, requests, p99: result.latency.p99 }
}

/** Milliseconds that something takes: the median of rounds, after one to warm up. */
export async function timeOf(run: () => Promise<void>, rounds: number): Promise<number> {
  await run()
  const took: number[] = []
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    await run()
    took.push(performance.now() - began)
  }
  return median(took)
}
