// The worker thread that runs the network: the native runtime blocks the calling thread, which must not be the one that
// serves requests.
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
const respond = (message: InferenceResponse) => port.postMessage(message)

const { InferenceSession, Tensor } = await import('onnxruntime-node')
type Session = Awaited<ReturnType<typeof InferenceSession.create>>
let session: Session
respond({ kind: 'started' })

/** An error ends the thread; the exit handlers pass the reason to the callers. */
async function load(): Promise<void> {
  session = await InferenceSession.create(file, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    // Windows differ in length, and an arena would retain the largest buffer of each length.
    enableCpuMemArena: false,
    logSeverityLevel: 3,
  })
  respond({ kind: 'loaded' })
}

// Sequential: a queued window holds only its token ids.
let last: Promise<void> = Promise.resolve()
port.on('message', (task: InferenceRequest) => {
  last = last.then(async () => {
    if (task === 'load') return load()
    try {
      respond({ kind: 'judged', id: task.id, scores: await run(task) })
    } catch (error) {
      respond({ kind: 'failed', id: task.id, message: (error as Error).message })
    }
  })
})

/** Output buffer for logits, reused for every window. */
const buffer = new Float32Array(512 * 16)

async function run({ ids, sentencePositions }: InferenceTask): Promise<WindowScores> {
  const length = ids.length
  const sentence = buffer.subarray(0, length * SIGNALS)
  const document = buffer.subarray(sentence.length, sentence.length + SIGNALS)
  const described = buffer.subarray(sentence.length + SIGNALS, sentence.length + SIGNALS + length)
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
