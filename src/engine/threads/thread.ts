// One thread of the pool: does what it is given, and has windows scored by whoever gave it.
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { Score } from '../classifier/judge.ts'
import { giveWay } from '../classifier/priority.ts'
import type { WindowScores } from '../classifier/protocol.ts'
import type { FromThread, Said, ToThread, WithThread } from './protocol.ts'

giveWay()
const { compileCache } = workerData as WithThread
// Before the rest is loaded: halves the time until it can begin.
if (compileCache !== undefined) enableCompileCache(compileCache)
const { TASKS } = await import('./tasks.ts')

const port = parentPort as NonNullable<typeof parentPort>
function say(said: Said): void {
  const { user, system } = process.threadCpuUsage()
  port.postMessage({ ...said, cpuMs: (user + system) / 1000 } satisfies FromThread)
}
const waiting = new Map<number, PromiseWithResolvers<WindowScores[]>>()
const tasks = TASKS as Record<string, (input: unknown, score: Score) => unknown>

port.on('message', (message: ToThread) => {
  if (message.kind === 'task') return void run(message)
  const asked = waiting.get(message.id)
  waiting.delete(message.id)
  if (message.kind === 'scores') asked?.resolve(message.scores)
  else asked?.reject(message.error)
})

async function run({ id, name, input }: ToThread & { kind: 'task' }): Promise<void> {
  const score: Score = (windows) => {
    const asked = Promise.withResolvers<WindowScores[]>()
    waiting.set(id, asked)
    say({ kind: 'ask', id, windows: windows.map(({ ids, places }) => ({ ids: Int32Array.from(ids), places })) })
    return asked.promise
  }
  try {
    say({ kind: 'done', id, output: await tasks[name]?.(input, score) })
  } catch (error) {
    say({ kind: 'failed', id, error })
  }
}

say({ kind: 'ready' })
