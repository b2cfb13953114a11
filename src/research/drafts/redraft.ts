import type { Db } from '../../db/connect.ts'
import type { StoredEvidence } from '../../db/schema.ts'
import { draftSignal } from '../../engine/draft/index.ts'
import { listKnown, writeTexts } from '../../resources/detections/store.ts'
import { listClosestTitles } from '../../resources/people/store.ts'
import { yieldToEventLoop } from '../../shared/event-loop.ts'
import type { DraftContext } from './context.ts'

type Account = { name: string; domain: string | null }
type Titled = { title: string | null }

/** Writes the texts of an account's detections anew, from what is known now. Answers those that changed. */
export async function redraft(
  db: Db,
  workspaceId: string,
  account: Account & { id: string },
  context: DraftContext,
): Promise<string[]> {
  const known = await listKnown(db, workspaceId, account.id)
  const people = known.length > 0 ? await listClosestTitles(db, workspaceId, account.id) : []
  const texts = []
  const turn = yieldToEventLoop()
  for (const event of known) {
    await turn()
    texts.push({ id: event.id, ...draftOf(event, account, people, context) })
  }
  return writeTexts(db, workspaceId, texts)
}

export function draftOf(
  { signal_id, evidence }: { signal_id: string; evidence: readonly StoredEvidence[] },
  account: Account,
  people: readonly Titled[],
  { names, sections, sender }: DraftContext,
) {
  const name = names.get(signal_id)
  return draftSignal({
    account,
    signal: { signal_id, ...(name ? { name } : {}) },
    evidence,
    knowledge_base: sections,
    sender,
    people,
  })
}
