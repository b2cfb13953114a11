import { purgeLostWorkers, removeWorker, seenEvery, seeWorker } from '../db/lost-workers.ts'
import type { Deps } from '../deps.ts'
import { newId } from '../ids.ts'
import { every } from './every.ts'

/** Lets everybody see that this worker lives, until it is disposed of: who dies is not. */
export async function announceWorker({
  db,
  log,
  config,
}: Pick<Deps, 'db' | 'log' | 'config'>): Promise<AsyncDisposable> {
  const id = newId()
  await purgeLostWorkers(db)
  await seeWorker(db, id)
  const saying = every(seenEvery(config.WORKER_LOST_SECONDS), () =>
    seeWorker(db, id).catch((err) => log.debug({ err }, 'this worker could not say that it is there')),
  )
  return {
    async [Symbol.asyncDispose]() {
      await saying[Symbol.asyncDispose]()
      await removeWorker(db, id).catch((err) => log.warn({ err }, 'this worker could not take its leave'))
    },
  }
}
