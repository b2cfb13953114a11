import type { Db } from '../../db/connect.ts'
import type { Relationship, StoredEvidence } from '../../db/schema.ts'
import type { Deps } from '../../deps/deps.ts'
import { type Draft, draftSignal } from '../../engine/draft/index.ts'
import type { Candidate } from '../../engine/recipient/index.ts'
import { defineJob } from '../../jobs/define.ts'
import { rewriteDraft } from '../../providers/llm/draft.ts'
import { toProviderDeps } from '../../providers/types.ts'
import { isoDate, pastDay } from '../../shared/days.ts'
import { yieldToEventLoop } from '../../shared/event-loop.ts'
import { lockForAssessment } from '../accounts/assessment-store.ts'
import { listAccountEvents, listTextsToRewrite, updateRewrittenTexts, writeTexts } from '../detections/store.ts'
import { listCandidates } from '../people/store.ts'
import { type DraftContext, readDraftContext } from './context.ts'

export type DraftAccount = {
  id: string
  name: string
  domain: string | null
  industry: string | null
  employees: number | null
  owner_id: string | null
  relationship: Relationship
  relationship_on: string | null
}

/** Rewrites the texts of an account's detections from the current data. Returns the ids of those that changed. */
export async function redraftAccount(
  db: Db,
  workspaceId: string,
  account: DraftAccount,
  context: DraftContext,
): Promise<string[]> {
  const known = await listAccountEvents(db, workspaceId, account.id)
  const people = known.length > 0 ? await listCandidates(db, workspaceId, account.id) : []
  const texts = []
  const turn = yieldToEventLoop()
  for (const event of known) {
    await turn()
    texts.push({ id: event.id, ...draftDetection(event, account, people, context) })
  }
  return writeTexts(db, workspaceId, texts)
}

type Event = { signal_id: string; evidence: readonly StoredEvidence[] }

export function draftDetection(
  event: Event,
  account: DraftAccount,
  people: readonly Candidate[],
  context: DraftContext,
): Draft {
  return draftSignal(inputOf(event, account, people, context))
}

/** The owner of the account writes; drafts of accounts without one are not signed. */
function inputOf(
  { signal_id, evidence }: Event,
  { owner_id, ...account }: DraftAccount,
  people: readonly Candidate[],
  { names, sections, seller, senders }: DraftContext,
) {
  const name = names.get(signal_id)
  return {
    account: { ...account, relationship_on: pastDay(account.relationship_on, isoDate(new Date())) },
    signal: { signal_id, ...(name ? { name } : {}) },
    evidence,
    knowledge_base: sections,
    seller,
    sender: senders.get(owner_id ?? '') ?? null,
    people,
  }
}

/** Rewrites the texts of accounts whose owner has changed: the owner signs. */
export const redraftAccounts = defineJob<{ workspace_id: string; account_ids: string[] }>({
  name: 'redraft-accounts',
  async run(deps, { workspace_id, account_ids }, { signal }) {
    const { context } = await readDraftContext(deps.db, workspace_id)
    for (const id of account_ids) {
      signal.throwIfAborted()
      await deps.db.transaction().execute(async (db) => {
        const account = await lockForAssessment(db, workspace_id, id)
        if (account)
          await queueRewriting({ ...deps, db }, workspace_id, await redraftAccount(db, workspace_id, account, context))
      })
    }
  },
})

/** Has the language model rewrite the texts, if one is configured. */
export async function queueRewriting(
  { db, jobs, config }: Pick<Deps, 'db' | 'jobs' | 'config'>,
  workspaceId: string,
  detectionIds: string[],
): Promise<void> {
  if (!config.LLM_BASE_URL || detectionIds.length === 0) return
  await jobs.enqueue(db, rewriteDetectionTexts, { workspace_id: workspaceId, detection_ids: detectionIds })
}

/**
 * Has the language model rewrite the texts of detections. The composed text stays where the model fails, or adds facts
 * that are not in the evidence, the profiles and the knowledge base.
 */
export const rewriteDetectionTexts = defineJob<{ workspace_id: string; detection_ids: string[] }>({
  name: 'word-detections',
  retries: 1,
  async run(deps, { workspace_id, detection_ids }, { signal }) {
    const { db } = deps
    if (!deps.config.LLM_BASE_URL) return
    const { context } = await readDraftContext(db, workspace_id)
    for (const detection of await listTextsToRewrite(db, workspace_id, detection_ids)) {
      const { id, signal_id, evidence, draft: message, account, key_facts, personas } = detection
      const { headline, narrative, why_reach_out_md, drafted_message_md } = detection
      if (headline === null || narrative === null || why_reach_out_md === null) continue
      const draft = { headline, narrative, why_reach_out_md, drafted_message_md, draft: message, key_facts, personas }
      // The draft names the recipient; the model sees no other person.
      const input = inputOf({ signal_id, evidence }, account, [], context)
      const worded = await rewriteDraft(toProviderDeps(deps, signal), input, draft)
      if (worded !== draft) await updateRewrittenTexts(db, workspace_id, id, { ...draft, evidence }, worded)
    }
  },
})
