import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createWaiters } from '../../sandbox/waiters.ts'

type Outcome = { code: number; output: string }
type Host = { run: (args: string[], env: NodeJS.ProcessEnv) => Promise<Outcome> }

/** Hosts that run no command now; those of one test file serve the next one. */
const idle: Host[] = []

/**
 * Runs `bellwether` commands in processes that earlier commands have used: starting a process costs more than most
 * commands. Where the process itself is tested, use `run` of process.ts.
 */
export function commands(env: Record<string, string>) {
  async function cli(...args: string[]): Promise<Outcome> {
    const host = idle.pop() ?? startHost()
    const outcome = await host.run(args, { ...inherited(), ...env })
    idle.push(host)
    return outcome
  }

  /** The result of a command that must not fail. */
  async function json(...args: string[]) {
    const { code, output } = await cli(...args, '--json')
    assert.equal(code, 0, output)
    return JSON.parse(output)
  }

  return { cli, json }
}

const inherited = () => ({ PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE })

/** A process for commands, one at a time. It ends with this one. */
function startHost(): Host {
  const child = fork(new URL('command-host.ts', import.meta.url), {
    cwd: '/',
    env: inherited(),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const { stdout, stderr } = child
  assert.ok(stdout && stderr)
  const { until, notify } = createWaiters()
  let text = ''
  for (const stream of [stdout, stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      notify()
    })
  }
  const crashed = once(child, 'close').then(([code]) => assert.fail(`It ended with ${code}: ${text}`))
  // An unexpected exit is reported to the running command.
  crashed.catch(() => {})
  // What keeps this process running, which an idle host must not do. A pipe is a socket, whatever its type says.
  const handles = [child, child.channel, stdout, stderr] as { ref: () => void; unref: () => void }[]

  return {
    async run(args, env) {
      for (const handle of handles) handle.ref()
      const answered = once(child, 'message')
      child.send({ args, env })
      const [code] = await Promise.race([answered, crashed])
      // Output may arrive later; each stream ends it with a marker.
      await until(() => text.split('\0').length === 3)
      const output = text.replaceAll('\0', '')
      text = ''
      for (const handle of handles) handle.unref()
      return { code, output }
    },
  }
}
