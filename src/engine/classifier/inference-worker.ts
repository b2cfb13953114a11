// The thread that runs the network: the native runtime computes where it is called, so it must not be called on the
// thread that answers requests.
import { parentPort, workerData } from 'node:worker_threads'
import { SIGNAL_IDS } from '../signals/index.ts'
import { lowerThreadPriority } from './priority.ts'
import {
  type InferenceRequest,
  type InferenceResponse,
  type InferenceTask,
  type InferenceWorkerOptions,
  LOGIT_STEPS,
  type WindowScores,
} from './protocol.ts'

const SIGNALS = SIGNAL_IDS.length
lowerThreadPriority()
const { file, threads } = workerData as InferenceWorkerOptions
const port = parentPort as NonNullable<typeof parentPort>
const answer = (message: InferenceResponse) => port.postMessage(message)

const { InferenceSession, Tensor } = await import('onnxruntime-node')
type Session = Awaited<ReturnType<typeof InferenceSession.create>>
let session: Session
answer({ kind: 'started' })

/** What this throws ends the thread, with the reason for whoever waits. */
async function load(): Promise<void> {
  session = await InferenceSession.create(file, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    // Windows differ in length, and an arena keeps the largest of each.
    enableCpuMemArena: false,
    logSeverityLevel: 3,
  })
  answer({ kind: 'loaded' })
}

// One after another: windows that wait hold nothing but their pieces.
let last: Promise<void> = Promise.resolve()
port.on('message', (task: InferenceRequest) => {
  last = last.then(async () => {
    if (task === 'load') return load()
    try {
      answer({ kind: 'judged', id: task.id, scores: await run(task) })
    } catch (error) {
      answer({ kind: 'failed', id: task.id, message: (error as Error).message })
    }
  })
})

/** Where the network writes its logits; used again for every window. */
const room = new Float32Array(512 * 16)

async function run({ ids, sentencePositions }: InferenceTask): Promise<WindowScores> {
  const length = ids.length
  const sentence = room.subarray(0, length * SIGNALS)
  const document = room.subarray(sentence.length, sentence.length + SIGNALS)
  const described = room.subarray(sentence.length + SIGNALS, sentence.length + SIGNALS + length)
  await session.run(
    { ids: new Tensor('int32', ids, [1, length]) },
    {
      sentence: new Tensor('float32', sentence, [1, length, SIGNALS]),
      document: new Tensor('float32', document, [1, SIGNALS]),
      described: new Tensor('float32', described, [1, length]),
    },
  )
  const at = (place: number) => Array.from(sentence.subarray(place * SIGNALS, (place + 1) * SIGNALS), inSteps)
  return {
    document: Int16Array.from(document, inSteps),
    sentences: Int16Array.from(sentencePositions.flatMap(at)),
    described: Int16Array.from(sentencePositions, (place) => inSteps(described[place] as number)),
  }
}

const inSteps = (logit: number) => Math.round(Math.max(-60, Math.min(60, logit)) * LOGIT_STEPS)
