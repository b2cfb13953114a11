// One thread of the pool: does what it is given, and has windows scored by whoever gave it.
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { ScoreWindows } from '../classifier/judge.ts'
import { lowerThreadPriority } from '../classifier/priority.ts'
import type { WindowScores } from '../classifier/protocol.ts'
import type { MessageFromThread, MessageToThread, ThreadData, ThreadMessage } from './protocol.ts'

lowerThreadPriority()
const { compileCache } = workerData as ThreadData
// Before the rest is loaded: halves the time until it can begin.
if (compileCache !== undefined) enableCompileCache(compileCache)
const { PARSER_TASKS: TASKS } = await import('./tasks.ts')

const port = parentPort as NonNullable<typeof parentPort>
function say(said: ThreadMessage): void {
  const { user, system } = process.threadCpuUsage()
  port.postMessage({ ...said, cpuMs: (user + system) / 1000 } satisfies MessageFromThread)
}
const waiting = new Map<number, PromiseWithResolvers<WindowScores[]>>()
const tasks = TASKS as Record<string, (input: unknown, score: ScoreWindows) => unknown>

port.on('message', (message: MessageToThread) => {
  if (message.kind === 'task') return void run(message)
  const asked = waiting.get(message.id)
  waiting.delete(message.id)
  if (message.kind === 'scores') asked?.resolve(message.scores)
  else asked?.reject(message.error)
})

async function run({ id, name, input }: MessageToThread & { kind: 'task' }): Promise<void> {
  const score: ScoreWindows = (windows) => {
    const asked = Promise.withResolvers<WindowScores[]>()
    waiting.set(id, asked)
    say({
      kind: 'ask',
      id,
      windows: windows.map(({ ids, sentencePositions }) => ({ ids: Int32Array.from(ids), sentencePositions })),
    })
    return asked.promise
  }
  try {
    say({ kind: 'done', id, output: await tasks[name]?.(input, score) })
  } catch (error) {
    say({ kind: 'failed', id, error })
  }
}

say({ kind: 'ready' })
