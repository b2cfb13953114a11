import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { after } from 'node:test'
import { createWaiters } from '../../sandbox/waiters.ts'

/**
 * Runs `bellwether` commands sequentially in one process: starting a process costs more than most
 * commands. Where the process itself is tested, use `run` of process.ts.
 */
export function commands(env: Record<string, string>) {
  const child = fork(new URL('command-host.ts', import.meta.url), {
    cwd: '/',
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  after(() => child.kill())
  const { until, notify } = createWaiters()
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      notify()
    })
  }
  const crashed = once(child, 'close').then(([code]) => assert.fail(`It ended with ${code}: ${text}`))
  // An unexpected exit is reported to the running command.
  crashed.catch(() => {})

  async function cli(...args: string[]): Promise<{ code: number; output: string }> {
    const answered = once(child, 'message')
    child.send(args)
    const [code] = await Promise.race([answered, crashed])
    // Output may arrive later; each stream ends it with a marker.
    await until(() => text.split('\0').length === 3)
    const output = text.replaceAll('\0', '')
    text = ''
    return { code, output }
  }

  /** The result of a command that must not fail. */
  async function json(...args: string[]) {
    const { code, output } = await cli(...args, '--json')
    assert.equal(code, 0, output)
    return JSON.parse(output)
  }

  return { cli, json }
}
