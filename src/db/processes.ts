import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The start time of a process, as text for comparison; null when it does not run. A pid alone does not identify a process:
 * after a crash or a container restart another process may have the same pid.
 */
export function readStartTime(pid: number): string | null {
  if (process.platform === 'linux') {
    const stat = readOrNull(`/proc/${pid}/stat`)
    // The command name is in parentheses and may contain any character; fields are counted after it.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
    return !fields || fields[0] === 'Z' ? null : (fields[19] ?? null)
  }
  return ps(pid, 'lstart')?.replaceAll(' ', '_') ?? null
}

export function commandLine(pid: number): string {
  if (process.platform === 'linux') return readOrNull(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? ''
  return ps(pid, 'args') ?? ''
}

/** Sends a signal and waits until the process has exited. Returns false when the timeout passes first. */
export async function stopProcess(pid: number, signal: NodeJS.Signals, timeoutMs: number): Promise<boolean> {
  const started = readStartTime(pid)
  if (started === null) return true
  process.kill(pid, signal)
  for (const until = performance.now() + timeoutMs; performance.now() < until; await sleep(10)) {
    if (readStartTime(pid) !== started) return true
  }
  return false
}

export function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Missing or not readable: treated the same.
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
