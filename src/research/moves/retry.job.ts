import { defineJob } from '../../jobs/define.ts'
import { listUnresolvedMoves } from '../../people/moves/move-store.ts'
import { isoDate } from '../../shared/days.ts'
import { type FoundMove, keepMoves } from './keep.ts'

/** So many at most are looked up again a day, the newest first. */
const MAX_RETRIED = 200

type Unresolved = Awaited<ReturnType<typeof listUnresolvedMoves>>[number]

/** Looks daily for the companies of moves that could not be found before: a site or a source may have been away. */
export const retryMoves = defineJob<object>({
  name: 'retry-moves',
  schedule: '41 5 * * *',
  concurrency: 1,
  timeout: 3_600,
  async run(deps, _payload, { signal, progressed }) {
    const today = isoDate(deps.now())
    const moves = await listUnresolvedMoves(deps.db, MAX_RETRIED)
    for (const [workspaceId, rows] of Map.groupBy(moves, ({ workspace_id }) => workspace_id)) {
      signal.throwIfAborted()
      await keepMoves(deps, workspaceId, rows.flatMap(moveOf), today, signal)
      await progressed()
    }
  },
})

/** The move as it was told: the text itself leads to the company. */
function moveOf(row: Unresolved): FoundMove[] {
  const { person_id, account_id, from_employer, from_title, to_employer, to_title, happened_on, evidence } = row
  const [first] = evidence
  if (!first || to_employer === null) return []
  const job = (employer: string, title: string | null) => ({ employer, title, domain: null, account_id: null })
  const { url, source, seen_on } = first
  const text = evidence.flatMap(({ quote }) => quote ?? []).join('\n')
  return [
    {
      ...{ person_id, account_id, kind: 'joined', happened_on, evidence, is_gone: false, source },
      from: from_employer === null ? null : job(from_employer, from_title),
      to: job(to_employer, to_title),
      // A vendor's page of somebody leads to no company's site.
      ...(first.quote === undefined ? { hints: { named: [], witnesses: [] } } : {}),
      document: { url, kind: 'article', title: null, text, published_date: seen_on },
    },
  ]
}
