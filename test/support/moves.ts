import { type NewMove, recordMoves } from '../../src/people/moves/record.ts'
import type { TestService } from './service.ts'

/** Stores that a person joined a company, as the readers of documents do. Returns the move. */
export async function moved(
  { deps }: TestService,
  workspaceId: string,
  person: { id: string; account_id: string; title: string | null },
  to: { employer: string; title: string },
) {
  const move: NewMove = {
    ...{ person_id: person.id, account_id: person.account_id, kind: 'joined', is_gone: true, happened_on: null },
    from: { employer: 'Acme', domain: null, account_id: person.account_id, title: person.title },
    to: { ...to, domain: null, account_id: null },
    evidence: [{ url: 'https://n0.com/news?a=1&b=2', source: 'website', quote: 'She joins.', seen_on: '2026-11-02' }],
  }
  const [added] = await deps.db
    .transaction()
    .execute((db) => recordMoves({ ...deps, db }, workspaceId, [move], '2026-11-02'))
  if (!added) throw new Error('The move was known already.')
  return added
}
