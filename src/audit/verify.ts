import { createHash } from 'node:crypto'
import type { Db } from '../db/connect.ts'
import { type ChainLink, listHeads, readChain } from './store.ts'

const BATCH = 2_000

export type ChainReport = {
  workspace_id: string
  name: string
  /** Entries that were read. */
  entries: number
  /** Of these, entries whose personal part was erased. */
  erased: number
  /** When the first entry was made, and the last of those that retention has removed; null when there is none. */
  since: string | null
  removed: number
  removed_until: string | null
  /** The last entry, as `seq:hash`: a later verification can expect it. */
  last: string
  /** What is wrong with the first wrong entry; null when the chain is intact. */
  problem: string | null
}

type Head = Awaited<ReturnType<typeof listHeads>>[number]

/** Recomputes the chains of all workspaces, or of one. The database only reads; hashes are computed here. */
export async function verifyChains(db: Db, workspaceId: string | null, expected: string[]): Promise<ChainReport[]> {
  const reports: ChainReport[] = []
  // One snapshot, so that entries that retention deletes meanwhile are not missed.
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (db) => {
      for (const head of await listHeads(db, workspaceId)) reports.push(await verifyChain(db, head, expected))
    })
  return reports
}

async function verifyChain(db: Db, head: Head, expected: string[]): Promise<ChainReport> {
  const missing = new Set(expected)
  const { workspace_id, name, first_at, anchor_at } = head
  const report = { workspace_id, name, entries: 0, erased: 0, since: first_at, removed: 0, removed_until: anchor_at }
  // The condition is only on the type: the columns are null when the row is missing.
  if (head.seq === null || head.hash === null || head.anchor_seq === null || head.anchor_hash === null)
    return { ...report, last: '-', problem: 'The start and the end of the log were removed.' }
  let [seq, hash] = [head.anchor_seq, head.anchor_hash]
  report.removed = seq
  const mark = () => `${seq}:${hash.toString('hex')}`
  missing.delete(mark())
  const wrong = (problem: string): ChainReport => ({ ...report, last: mark(), problem })
  for (let links = await readChain(db, workspace_id, seq, BATCH); links.length > 0; ) {
    for (const link of links) {
      if (link.seq !== seq + 1) return wrong(`Entry ${seq + 1} was removed.`)
      if (!link.prev_hash.equals(hash) || !hashOf(link, hash).equals(link.hash))
        return wrong(`Entry ${link.seq} was changed.`)
      if (!isPersonalPartIntact(link)) return wrong(`The personal part of entry ${link.seq} was changed.`)
      if (link.personal === null) report.erased++
      report.entries++
      ;[seq, hash] = [link.seq, link.hash]
      missing.delete(mark())
    }
    links = await readChain(db, workspace_id, seq, BATCH)
  }
  if (seq < head.seq) return wrong(`Entries ${seq + 1} to ${head.seq} were removed at the end.`)
  if (seq > head.seq || !hash.equals(head.hash)) return wrong(`Entry ${seq} is not the one that was added last.`)
  const [gone] = missing
  if (gone !== undefined) {
    const at = Number(gone.split(':')[0])
    return wrong(
      at < head.anchor_seq
        ? `Entry ${at} cannot be compared: retention has removed it.`
        : `Entry ${at} is not the expected one: the log was replaced.`,
    )
  }
  return { ...report, last: mark(), problem: null }
}

function hashOf({ fixed, personal_digest }: ChainLink, before: Buffer): Buffer {
  return createHash('sha256').update(before).update(fixed).update(personal_digest).digest()
}

/** An erasure removes the personal part with its salt. */
function isPersonalPartIntact({ personal, salt, personal_digest }: ChainLink): boolean {
  if (personal === null || salt === null) return personal === null && salt === null
  return createHash('sha256').update(salt).update(personal).digest().equals(personal_digest)
}
