// Speed of the classifier: node bench/reader.ts [press-releases.ndjson.gz]. Documents per second on two cores, a window of 128
// tokens on one core, memory, and the load time. Without the file it runs on generated text.
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Classifier } from '../src/engine/classifier/index.ts'
import { InferenceThread } from '../src/engine/classifier/inference-thread.ts'
import { loadWeights } from '../src/engine/classifier/weights.ts'
import { type DetectResult, detect } from '../src/engine/detect/index.ts'
import { mostResidentOf, timeOf } from './measure.ts'
import { releases } from './releases.ts'

const DOCUMENTS = 400
const AT_ONCE = 8

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const documents = releases(process.argv[2] ?? process.env.BELLWETHER_PRESS_RELEASES)
  .filter(({ text }) => text.length > 1_500 && text.length < 6_000)
  .slice(0, DOCUMENTS)
const before = await heldMemory()
const began = performance.now()
const classifier = new Classifier({ threads: 2 })
const checked = performance.now()
await classifier.status()
const ready = performance.now()
console.log(
  `weights checked in ${(checked - began).toFixed(0)} ms, on the way of a start; ready ${(ready - checked).toFixed(0)} ms later, beside it`,
)

let found: DetectResult[] = []
const judged = await secondsOf(async () => {
  found = []
  for (let at = 0; at < documents.length; at += AT_ONCE) {
    found.push(...(await detect(documents.slice(at, at + AT_ONCE), { classifier })))
  }
})
const characters = documents.reduce((sum, { text }) => sum + text.length, 0) / documents.length
console.log(
  `${documents.length} releases of ${characters.toFixed(0)} characters, ${found.flatMap(({ detections }) => detections).length} findings`,
)
console.log(`two cores                  ${(documents.length / judged).toFixed(0)} documents a second (aim 40)`)
console.log(
  `resident memory            ${((await heldMemory()) - before).toFixed(0)} MB more (aim 150), ${mostResidentOf(process.pid).toFixed(0)} MiB at its peak`,
)
await classifier.close()

const { file } = loadWeights()
const session = new InferenceThread({ file, threads: 1 })
await session.open()
const window = {
  ids: Array.from({ length: 128 }, (_, i) => (i === 0 ? 2 : 1_000 + i)),
  sentencePositions: [0],
  sentences: [0],
  isTitled: false,
}
const single = await secondsOf(async () => {
  for (let n = 0; n < 50; n++) await session.score([window])
})
console.log(`a window of 128, 1 core    ${((single / 50) * 1_000).toFixed(1)} ms (aim 15)`)
await session.close()

async function secondsOf(run: () => Promise<void>): Promise<number> {
  return (await timeOf(run, 3)) / 1_000
}

/** Megabytes of the process after a garbage collection: without it a heap that may grow does. */
async function heldMemory(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    collect()
    await wait(200)
  }
  return process.memoryUsage.rss() / 1e6
}
