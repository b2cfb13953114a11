import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import { savePersonJobs } from '../../people/moves/move-store.ts'
import { jobsOfMoves, recordMoves } from '../../people/moves/record.ts'
import { crmVendor } from '../../providers/crm/registry.ts'
import type { ClaimedSync } from '../../resources/crm-sync/store.ts'
import { isoDate } from '../../shared/days.ts'
import { findContactMoves } from './contact-move-store.ts'

export type ContactMoveParts = Pick<Deps, 'jobs' | 'config' | 'secrets' | 'parserPool' | 'now'> & { db: Db }

/** Records the moves of people who have left an account because their contact is now at another one. */
export async function recordContactMoves(parts: ContactMoveParts, sync: ClaimedSync, left: string[]): Promise<void> {
  const found = await findContactMoves(parts.db, sync, left)
  if (found.length === 0) return
  const today = isoDate(parts.now())
  const evidence = [{ url: '', source: crmVendor(sync.provider).label, seen_on: today }]
  const moves = found.map(({ person_id, new_person_id, account_id, from, to }) => ({
    ...{ person_id, new_person_id, account_id, from, to, evidence },
    ...({ kind: 'joined', is_gone: true, happened_on: null } as const),
  }))
  await recordMoves(parts, sync.workspace_id, moves, today)
  const histories = moves.map(({ new_person_id, ...move }) => ({ ...move, person_id: new_person_id }))
  await savePersonJobs(parts.db, sync.workspace_id, jobsOfMoves(histories))
}
