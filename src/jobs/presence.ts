import { purgeLostWorkers, removeWorker, SEEN_SECONDS, seeWorker } from '../db/lost-workers.ts'
import type { Deps } from '../deps.ts'
import { newId } from '../ids.ts'

/** Lets everybody see that this worker lives, until it is disposed of: who dies is not. */
export async function announceWorker({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<AsyncDisposable> {
  const id = newId()
  await purgeLostWorkers(db)
  await seeWorker(db, id)
  let saying: Promise<void> | null = null
  const timer = setInterval(() => {
    saying ??= seeWorker(db, id)
      .catch((err) => log.debug({ err }, 'this worker could not say that it is there'))
      .finally(() => {
        saying = null
      })
  }, SEEN_SECONDS * 1000)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await saying
      await removeWorker(db, id).catch((err) => log.warn({ err }, 'this worker could not take its leave'))
    },
  }
}
