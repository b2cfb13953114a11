import { defineJob } from '../../jobs/define.ts'
import { rewriteDraft } from '../../providers/llm/draft.ts'
import { toProviderDeps } from '../../providers/types.ts'
import { listForWording, updateWording } from '../../resources/detections/store.ts'
import { readDraftContext } from './context.ts'

type Payload = { workspace_id: string; detection_ids: string[] }

/**
 * Has the language model word what was found. The service's own wording stays where the model fails, or says more than
 * the evidence does.
 */
export const rewriteDetectionTexts = defineJob<Payload>({
  name: 'word-detections',
  retries: 1,
  async run(deps, { workspace_id, detection_ids }, { signal }) {
    const { db } = deps
    if (!deps.config.LLM_BASE_URL) return
    const { sections, sender } = (await readDraftContext(db, workspace_id)).context
    for (const detection of await listForWording(db, workspace_id, detection_ids)) {
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
      if (worded !== draft) await updateWording(db, workspace_id, id, { ...draft, evidence }, worded)
    }
  },
})
