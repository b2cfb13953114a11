import type { Deps } from '../../deps/deps.ts'
import { AppError } from '../../shared/errors.ts'
import type { Member } from '../../shared/member.ts'
import { lockOwnAccount } from './own.ts'
import { MAX_TAGS } from './schema.ts'
import { updateAccountRow } from './store.ts'

type Parts = Pick<Deps, 'db'>

/** Appends tags in the given order. Throws not_found, forbidden, and invalid_request over the limit. */
export function addTags(parts: Parts, member: Member, id: string, tags: string[]) {
  return changeTags(parts, member, id, (present) => mergeTags(present, tags))
}

/** Throws invalid_request over the limit. */
export function mergeTags(present: readonly string[], tags: readonly string[]): string[] {
  const merged = uniqueTags([...present, ...tags])
  if (merged.length > MAX_TAGS && merged.length > present.length) {
    const message = `must not make more than ${MAX_TAGS} tags of an account; it would have ${merged.length}`
    throw new AppError('invalid_request', `tags ${message}.`, { details: [{ path: 'tags', message }] })
  }
  return merged
}

/** Throws not_found, forbidden. */
export function removeTags(parts: Parts, member: Member, id: string, tags: string[]) {
  return changeTags(parts, member, id, (present) => withoutTags(present, tags))
}

export function withoutTags(present: readonly string[], tags: readonly string[]): string[] {
  const gone = new Set(uniqueTags(tags))
  return present.filter((tag) => !gone.has(tag))
}

/** Trims and deduplicates tags. */
export function uniqueTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()))]
}

/** The account is locked, so that concurrent changes are both applied. */
function changeTags({ db }: Parts, member: Member, id: string, change: (present: string[]) => string[]) {
  return db.transaction().execute(async (db) => {
    const { tags: present } = await lockOwnAccount(db, member, id)
    const tags = change(present)
    if (tags.length !== present.length) await updateAccountRow(db, member.workspace_id, id, { tags })
    return { id, tags }
  })
}
