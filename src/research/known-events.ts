import type { Db } from '../db/connect.ts'
import { listKnown } from '../resources/detections/store.ts'
import { listKnownOpenings } from '../resources/documents/store.ts'
import type { Finding } from './find-signals.ts'
import type { KnownEvent } from './merge.ts'

/** The events of an account that findings may be of, and how the pages that prove them begin. */
export async function listKnownEvents(
  db: Db,
  workspaceId: string,
  accountId: string,
  findings: readonly Finding[],
): Promise<{ known: KnownEvent[]; openings: ReadonlyMap<string, string> }> {
  const told = new Set(findings.map(({ signal_id }) => signal_id))
  const known = (await listKnown(db, workspaceId, accountId)).filter(({ signal_id }) => told.has(signal_id))
  const urls = known.flatMap(({ evidence }) => evidence.flatMap(({ source_url }) => source_url ?? []))
  return { known, openings: await listKnownOpenings(db, workspaceId, accountId, [...new Set(urls)]) }
}
