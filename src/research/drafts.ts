import type { Db } from '../db/connect.ts'
import type { StoredEvidence } from '../db/schema.ts'
import { draftSignal } from '../engine/draft/index.ts'
import { defineJob } from '../jobs/define.ts'
import { rewriteDraft } from '../providers/llm/draft.ts'
import { toProviderDeps } from '../providers/types.ts'
import {
  listAccountEvents,
  listTextsToRewrite,
  updateRewrittenTexts,
  writeTexts,
} from '../resources/detections/store.ts'
import { listClosestTitles } from '../resources/people/store.ts'
import { yieldToEventLoop } from '../shared/event-loop.ts'
import { type DraftContext, readDraftContext } from './context.ts'

type Account = { name: string; domain: string | null }
type Titled = { title: string | null }

/** Rewrites the texts of an account's detections from the current data. Returns the ids of those that changed. */
export async function redraftAccount(
  db: Db,
  workspaceId: string,
  account: Account & { id: string },
  context: DraftContext,
): Promise<string[]> {
  const known = await listAccountEvents(db, workspaceId, account.id)
  const people = known.length > 0 ? await listClosestTitles(db, workspaceId, account.id) : []
  const texts = []
  const turn = yieldToEventLoop()
  for (const event of known) {
    await turn()
    texts.push({ id: event.id, ...draftDetection(event, account, people, context) })
  }
  return writeTexts(db, workspaceId, texts)
}

export function draftDetection(
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

type Payload = { workspace_id: string; detection_ids: string[] }

/**
 * Has the language model rewrite the texts of detections. The generated text stays where the model fails or adds facts
 * that are not in the evidence.
 */
export const rewriteDetectionTexts = defineJob<Payload>({
  name: 'word-detections',
  retries: 1,
  async run(deps, { workspace_id, detection_ids }, { signal }) {
    const { db } = deps
    if (!deps.config.LLM_BASE_URL) return
    const { sections, sender } = (await readDraftContext(db, workspace_id)).context
    for (const detection of await listTextsToRewrite(db, workspace_id, detection_ids)) {
      const { id, signal_id, evidence, account_name, signal_name, key_facts, personas } = detection
      const { headline, narrative, why_reach_out_md, drafted_message_md } = detection
      if (headline === null || narrative === null || why_reach_out_md === null || drafted_message_md === null) continue
      const draft = { headline, narrative, why_reach_out_md, drafted_message_md, key_facts, personas }
      const input = {
        account: { name: account_name },
        signal: { signal_id, name: signal_name },
        evidence,
        knowledge_base: sections,
        sender,
      }
      const worded = await rewriteDraft(toProviderDeps(deps, signal), input, draft)
      if (worded !== draft) await updateRewrittenTexts(db, workspace_id, id, { ...draft, evidence }, worded)
    }
  },
})
