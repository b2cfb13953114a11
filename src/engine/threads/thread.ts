// One thread of the pool: runs tasks, and requests the scores of windows from the thread that owns the pool.
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { ScoreWindows } from '../classifier/judge.ts'
import { lowerThreadPriority } from '../classifier/priority.ts'
import type { WindowScores } from '../classifier/protocol.ts'
import type { MessageFromThread, MessageToThread, ThreadData, ThreadMessage } from './protocol.ts'

lowerThreadPriority()
const { compileCache } = workerData as ThreadData
// Before the other modules load: the compile cache halves the start time.
if (compileCache !== undefined) enableCompileCache(compileCache)
const { PARSER_TASKS } = await import('./tasks.ts')

const port = parentPort as NonNullable<typeof parentPort>
function send(message: ThreadMessage): void {
  const { user, system } = process.threadCpuUsage()
  port.postMessage({ ...message, cpuMs: (user + system) / 1000 } satisfies MessageFromThread)
}
const waiting = new Map<number, PromiseWithResolvers<WindowScores[]>>()
const tasks = PARSER_TASKS as Record<string, (input: unknown, score: ScoreWindows) => unknown>

port.on('message', (message: MessageToThread) => {
  if (message.kind === 'task') return void run(message)
  const request = waiting.get(message.id)
  waiting.delete(message.id)
  if (message.kind === 'scores') request?.resolve(message.scores)
  else request?.reject(message.error)
})

async function run({ id, name, input }: MessageToThread & { kind: 'task' }): Promise<void> {
  const score: ScoreWindows = (windows) => {
    const request = Promise.withResolvers<WindowScores[]>()
    waiting.set(id, request)
    send({
      kind: 'score-request',
      id,
      windows: windows.map(({ ids, sentencePositions }) => ({ ids: Int32Array.from(ids), sentencePositions })),
    })
    return request.promise
  }
  try {
    send({ kind: 'done', id, output: await tasks[name]?.(input, score) })
  } catch (error) {
    send({ kind: 'failed', id, error })
  }
}

send({ kind: 'ready' })
