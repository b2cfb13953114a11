import { existsSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { autocannon } from '../tools/autocannon.ts'
import { median } from './results.ts'

/** Measurements for benchmarks. Figures of another process are read from /proc; without it they are NaN. */

const SAMPLED_EVERY_MS = 50
const hasProc = existsSync('/proc/self/stat')

/** CPU time of a process since its start in milliseconds, 0 when it has exited; the kernel counts in hundredths of a second. */
export function processorTimeOf(pid: number | undefined): number {
  const fields = read(pid, 'stat').split(') ')[1]?.split(' ')
  if (fields) return (Number(fields[11]) + Number(fields[12])) * 10
  return hasProc ? 0 : Number.NaN
}

/** CPU time in milliseconds of all connections to PostgreSQL that are open now. */
export async function processorTimeOfDatabase(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity')
  return rows.reduce((sum, { pid }) => sum + processorTimeOf(pid), 0)
}

/** Resident memory of a process in megabytes. */
export const residentOf = (pid: number | undefined) => memoryOf(pid, 'VmRSS')

/** Peak memory of a process in megabytes. */
export const mostResidentOf = (pid: number | undefined) => memoryOf(pid, 'VmHWM')

/** Samples the memory of a process until the returned function is called, which returns the peak in megabytes. */
export function watchMemory(pid: number | undefined): () => number {
  let peak = Number.NaN
  const timer = setInterval(() => {
    const held = residentOf(pid)
    // NaN when the process has exited before the measurement ends.
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

/** Puts load on a URL. Throws unless every response is as expected: 304 for requests with an etag, otherwise a success. */
export async function load(options: autocannon.Options): Promise<Load> {
  const result = await autocannon(options)
  const wanted = options.headers?.['if-none-match'] ? /^304$/ : /^2/
  const others = Object.entries(result.statusCodeStats ?? {}).filter(([status]) => !wanted.test(status))
  const refused = others.reduce((sum, [, { count = 0 }]) => sum + count, 0)
  if (refused > 0 || result.errors > 0) throw new Error(`${options.url}: ${refused} refused, ${result.errors} failed`)
  const requests = result.requests.total
  // The average of autocannon uses whole seconds, of which a short run has few.
  return { rate: requests / result.duration, requests, p99: result.latency.p99 }
}

/** Milliseconds of an action: the median of rounds, after a warm-up. */
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
