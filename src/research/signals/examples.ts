import type { Static } from 'typebox'
import type { Deps } from '../../deps/deps.ts'
import type { MarkedExample } from '../../engine/custom-signals/examples.ts'
import { toStorable } from '../../engine/text/storable.ts'
import { redactExamples } from '../../people/redact/redact-findings.ts'
import { listExamples, upsertExamples } from '../../resources/signals/examples-store.ts'
import { MAX_EXAMPLES, type MarkExample } from '../../resources/signals/schema.ts'
import { getSignal, lockSignal } from '../../resources/signals/store.ts'
import { AppError } from '../../shared/errors.ts'
import type { Member } from '../../shared/member.ts'

/** The sentences marked for a signal. Throws not_found. */
export async function listSignalExamples({ db }: Pick<Deps, 'db'>, workspaceId: string, signalId: string) {
  await getSignal(db, workspaceId, signalId)
  return listExamples(db, workspaceId, signalId)
}

/**
 * Marks a sentence as right or wrong for a custom signal, or replaces its mark. It affects documents read from then on.
 * Throws not_found, builtin_signal, unavailable, and invalid_request over the limit of examples.
 */
export async function markExample(
  deps: Pick<Deps, 'db' | 'secrets' | 'parserPool'>,
  { workspace_id, id: memberId }: Member,
  signalId: string,
  example: Static<typeof MarkExample>,
) {
  return deps.db.transaction().execute(async (db) => {
    const parts = { ...deps, db }
    const [marked] = (await redactExamples(parts, workspace_id, [normalizeExample(example)])) as [MarkedExample]
    // Serializes concurrent calls, so that the limit holds.
    const { is_builtin } = await lockSignal(db, workspace_id, signalId)
    if (is_builtin) {
      throw new AppError(
        'builtin_signal',
        'Examples belong to custom signals. For a built-in signal, mark its detections as right or wrong instead.',
      )
    }
    const known = await listExamples(db, workspace_id, signalId)
    if (known.length >= MAX_EXAMPLES && known.every(({ sentence }) => sentence !== marked.sentence)) {
      throw new AppError('invalid_request', `A signal has at most ${MAX_EXAMPLES} examples. Remove one first.`)
    }
    const [kept] = await upsertExamples(db, workspace_id, signalId, memberId, [marked])
    return kept as NonNullable<typeof kept>
  })
}

/** An example as it is stored. */
export const normalizeExample = ({ sentence, verdict, confidence = null }: Static<typeof MarkExample>) => ({
  sentence: toStorable(sentence).trim(),
  verdict,
  confidence,
})
