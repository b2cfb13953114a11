import type { Deps } from '../../deps/deps.ts'
import { defineJob } from '../../jobs/define.ts'
import { findAccount } from '../../resources/accounts/store.ts'
import { daysBefore, isoDate } from '../../shared/days.ts'
import { MOVE_DAYS, noteMoves } from './from-document.ts'
import { listDatedDocuments } from './known-people-store.ts'

type Payload = { workspace_id: string; account_id: string; document_ids: string[] }

/** Looks through what is new about an account for people who moved. */
export const noteKeptMoves = defineJob<Payload>({
  name: 'note-moves',
  async run(deps, { workspace_id, account_id, document_ids }, { signal }) {
    const account = await findAccount(deps.db, workspace_id, account_id)
    if (!account) return
    const since = daysBefore(isoDate(deps.now()), MOVE_DAYS)
    const documents = await listDatedDocuments(deps.db, workspace_id, document_ids, since)
    const { name, domain } = account
    const told = documents.map(({ source, ...document }) => ({ company: { name, domain }, document, source }))
    await noteMoves(deps, told, signal, workspace_id)
  },
})

/** Call it in the transaction that keeps the documents. */
export async function noteMovesLater(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  workspaceId: string,
  accountId: string,
  documentIds: readonly string[],
): Promise<void> {
  if (documentIds.length === 0) return
  const payload = { workspace_id: workspaceId, account_id: accountId, document_ids: [...documentIds] }
  await jobs.enqueue(db, noteKeptMoves, payload)
}
