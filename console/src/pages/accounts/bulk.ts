import { api, type Schemas } from '../../api/client.ts'

export type Action = Schemas['BulkAccounts']['action']
/** An action on the selected accounts. */
export type BulkRequest = { action: Action; tags?: string[]; owner_id?: string | null }
type Work = BulkRequest & { ids: readonly string[] }
type AccountBefore = Schemas['BulkDone']['before'][number]
export type BulkOutcome = { done: number; refused: { message: string; count: number }[]; before: AccountBefore[] }

/** The maximum number of ids per API call. */
const CHUNK = 500

/** Runs an action on any number of accounts in chunks. Refused accounts do not stop the others. */
export async function runBulk({ ids, ...rest }: Work, onProgress: (progress: number) => void): Promise<BulkOutcome> {
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

/** The requests that undo an action, from the previous state of the accounts; null if it cannot be undone. */
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

/** Groups account ids by a value of the account. */
function groupAccounts<T>(before: readonly AccountBefore[], select: (one: AccountBefore) => T): [T, string[]][] {
  const groups = new Map<string, [T, string[]]>()
  for (const one of before) {
    const value = select(one)
    const key = JSON.stringify(value)
    const group = groups.get(key) ?? [value, []]
    group[1].push(one.id)
    groups.set(key, group)
  }
  return [...groups.values()]
}
