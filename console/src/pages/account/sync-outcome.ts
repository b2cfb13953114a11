import type { Schemas } from '../../api/client.ts'
import { plural } from '../../components/numbers.ts'
import { tellDone, tellFailed } from '../../components/tell.tsx'

/** Says whom the sources of people brought, and which of them failed. */
export function syncOutcome(synced: Schemas['SyncedPeople'] | undefined): void {
  if (!synced) return
  const failed = synced.sources.filter(({ outcome }) => outcome === 'failed')
  tellDone(
    synced.synced > 0
      ? `${plural(synced.synced, 'person', 'people')} known there`
      : 'No source names anybody who works there',
  )
  if (failed.length === 0) return
  const told = failed.map(({ name, reason }) => `${name}: ${reason}`).join(' ')
  tellFailed(`${plural(failed.length, 'source')} of people could not be read`, new Error(told))
}

syncOutcome.failed = (error: unknown): void => tellFailed('The people could not be loaded', error)
