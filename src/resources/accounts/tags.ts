import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { MAX_TAGS } from './schema.ts'
import { lockAccount, updateAccountRow } from './store.ts'

type Parts = Pick<Deps, 'db'>

/** Adds tags behind those that are there, in the order given. Throws not_found, and invalid_request for too many. */
export function addTags(parts: Parts, workspaceId: string, id: string, tags: string[]) {
  return changeTags(parts, workspaceId, id, (present) => mergeTags(present, tags))
}

/** Throws invalid_request for too many. */
export function mergeTags(present: readonly string[], tags: readonly string[]): string[] {
  const merged = uniqueTags([...present, ...tags])
  if (merged.length > MAX_TAGS && merged.length > present.length) {
    const message = `must not make more than ${MAX_TAGS} tags of an account; it would have ${merged.length}`
    throw new AppError('invalid_request', `tags ${message}.`, { details: [{ path: 'tags', message }] })
  }
  return merged
}

/** Throws not_found. */
export function removeTags(parts: Parts, workspaceId: string, id: string, tags: string[]) {
  return changeTags(parts, workspaceId, id, (present) => withoutTags(present, tags))
}

export function withoutTags(present: readonly string[], tags: readonly string[]): string[] {
  const gone = new Set(uniqueTags(tags))
  return present.filter((tag) => !gone.has(tag))
}

/** Tags as they are stored: without the space around them, each once. */
export function uniqueTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()))]
}

/** The account is locked, so that two changes at once both count. */
function changeTags({ db }: Parts, workspaceId: string, id: string, change: (present: string[]) => string[]) {
  return db.transaction().execute(async (db) => {
    const { tags: present } = await lockAccount(db, workspaceId, id)
    const tags = change(present)
    if (tags.length !== present.length) await updateAccountRow(db, workspaceId, id, { tags })
    return { id, tags }
  })
}
