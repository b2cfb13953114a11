import { api, type Schemas } from '../../api/client.ts'

export type Action = Schemas['BulkAccounts']['action']
/** An action on the selected accounts. */
export type BulkRequest = { action: Action; tags?: string[]; owner_id?: string | null }
type Work = BulkRequest & { ids: readonly string[] }
type AccountBefore = Schemas['BulkDone']['before'][number]
export type BulkOutcome = { done: number; refused: { message: string; count: number }[]; before: AccountBefore[] }

/** As many as the API takes at once. */
const CHUNK = 500

/** Does one thing with any number of accounts, a chunk at a time. What is refused stops no other. */
export async function runBulk({ ids, ...rest }: Work, onProgress: (part: number) => void): Promise<BulkOutcome> {
  const refused = new Map<string, number>()
  const before: AccountBefore[] = []
  let done = 0
  for (let at = 0; at < ids.length; at += CHUNK) {
    onProgress(at / ids.length)
    const { data } = await api.POST('/v1/accounts/bulk', { body: { ids: ids.slice(at, at + CHUNK), ...rest } })
    if (!data) continue
    done += data.data.done
    before.push(...data.data.before)
    for (const { message } of data.data.results) refused.set(message, (refused.get(message) ?? 0) + 1)
  }
  return { done, refused: [...refused].map(([message, count]) => ({ message, count })), before }
}

/** What takes an action back, from what the accounts were before; null where nothing can. */
export function bulkUndo(
  { action, tags = [] }: Pick<Work, 'action' | 'tags'>,
  before: readonly AccountBefore[],
): Work[] | null {
  const ids = before.map(({ id }) => id)
  if (ids.length === 0) return null
  switch (action) {
    case 'activate':
      return [{ ids, action: 'deactivate' }]
    case 'deactivate':
      return [{ ids, action: 'activate' }]
    case 'reject':
      return [{ ids, action: 'suggest' }]
    case 'suggest':
      return [{ ids: before.filter(({ status }) => status === 'rejected').map(({ id }) => id), action: 'reject' }]
    case 'tag':
      return groupAccounts(before, (one) => tags.filter((tag) => !one.tags.includes(tag))).map(([tags, ids]) => ({
        ids,
        action: 'untag',
        tags,
      }))
    case 'untag':
      return groupAccounts(before, (one) => tags.filter((tag) => one.tags.includes(tag))).map(([tags, ids]) => ({
        ids,
        action: 'tag',
        tags,
      }))
    case 'owner':
      return groupAccounts(before, (one) => one.owner_id).map(([owner_id, ids]) => ({ ids, action: 'owner', owner_id }))
    default:
      return null
  }
}

/** Accounts with the same answer to a question, together. */
function groupAccounts<T>(before: readonly AccountBefore[], ask: (one: AccountBefore) => T): [T, string[]][] {
  const groups = new Map<string, [T, string[]]>()
  for (const one of before) {
    const answer = ask(one)
    const key = JSON.stringify(answer)
    const group = groups.get(key) ?? [answer, []]
    group[1].push(one.id)
    groups.set(key, group)
  }
  return [...groups.values()]
}
