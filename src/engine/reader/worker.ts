// The thread that runs the network: the native runtime computes where it is called, so it must not be called on the
// thread that answers requests.
import { parentPort, workerData } from 'node:worker_threads'
import { type Answer, type Batch, type Judged, LOGIT_STEPS, type WorkerOptions } from './protocol.ts'

const { file, threads } = workerData as WorkerOptions
const port = parentPort as NonNullable<typeof parentPort>
const answer = (message: Answer, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

const { InferenceSession, Tensor } = await import('onnxruntime-node')
const session = await InferenceSession.create(file, {
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  graphOptimizationLevel: 'all',
  // Batches differ in size, and an arena keeps the largest of each.
  enableCpuMemArena: false,
  logSeverityLevel: 3,
})
answer({ kind: 'ready' })

port.on('message', async (batch: Batch) => {
  try {
    const judged = await run(batch)
    const buffers = [judged.document, judged.sentences, judged.described].map(({ buffer }) => buffer as ArrayBuffer)
    answer({ kind: 'judged', id: batch.id, judged }, buffers)
  } catch (error) {
    answer({ kind: 'failed', id: batch.id, message: (error as Error).message })
  }
})

async function run({ ids, windows, length, places }: Batch): Promise<Judged> {
  const output = await session.run({ ids: new Tensor('int32', ids, [windows, length]) })
  const sentence = output.sentence?.data as Float32Array
  const described = output.described?.data as Float32Array
  const signals = sentence.length / ids.length
  const judged = {
    document: Int16Array.from(output.document?.data as Float32Array, inSteps),
    sentences: new Int16Array(places.length * signals),
    described: new Int16Array(places.length),
  }
  places.forEach((place, i) => {
    for (let k = 0; k < signals; k++)
      judged.sentences[i * signals + k] = inSteps(sentence[place * signals + k] as number)
    judged.described[i] = inSteps(described[place] as number)
  })
  return judged
}

const inSteps = (logit: number) => Math.round(Math.max(-60, Math.min(60, logit)) * LOGIT_STEPS)
