import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * When a process started, as a text to compare; null when it does not run. A pid alone does not name a process:
 * after a crash or a container restart another one may carry the same number.
 */
export function startedAt(pid: number): string | null {
  if (process.platform === 'linux') {
    const stat = readOrNull(`/proc/${pid}/stat`)
    // The command name stands in parentheses and may hold anything; fields count from behind it.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
    return !fields || fields[0] === 'Z' ? null : (fields[19] ?? null)
  }
  return ps(pid, 'lstart')?.replaceAll(' ', '_') ?? null
}

export function commandLine(pid: number): string {
  if (process.platform === 'linux') return readOrNull(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? ''
  return ps(pid, 'args') ?? ''
}

/** Sends a signal and waits until the process is gone. Answers false when it outlived the time. */
export async function endProcess(pid: number, signal: NodeJS.Signals, timeoutMs: number): Promise<boolean> {
  const started = startedAt(pid)
  if (started === null) return true
  process.kill(pid, signal)
  for (const until = performance.now() + timeoutMs; performance.now() < until; await sleep(10)) {
    if (startedAt(pid) !== started) return true
  }
  return false
}

export function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Absent or closed to us: both mean there is nothing to read.
    return null
  }
}

function ps(pid: number, column: string): string | null {
  try {
    return execFileSync('ps', ['-p', String(pid), '-o', `${column}=`], { encoding: 'utf8' }).trim() || null
  } catch {
    // ps exits with 1 when no such process runs.
    return null
  }
}
