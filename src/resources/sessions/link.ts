import { onMissingReference } from '../../db/errors.ts'
import type { Deps } from '../../deps/deps.ts'
import { AppError } from '../../shared/errors.ts'
import { isId } from '../../shared/ids.ts'
import { hashToken, newToken } from '../../shared/tokens.ts'
import { insertSignInLink } from './link-store.ts'

/** Long enough to hand it on, too short to be found later. sign-in.ts names it. */
const LINK_SECONDS = 15 * 60

type Request = {
  member_id: string
  /** The key its session will belong to, and end with. */
  key_id?: string | null
}

/**
 * Answers a link that signs a browser in, once. The token stands behind #, a part that browsers keep to themselves: it gets
 * into no log and no referrer. Throws unknown_member.
 */
export async function createSignInLink(
  { db }: Pick<Deps, 'db'>,
  workspaceId: string,
  address: string,
  { member_id, key_id = null }: Request,
) {
  if (!isId(member_id)) throw unknownMember()
  const token = newToken('link')
  const link = { member_id, key_id, hash: hashToken(token), seconds: LINK_SECONDS }
  const { expires_at } = await insertSignInLink(db, workspaceId, link).catch(
    onMissingReference('sign_in_links_member', unknownMember),
  )
  return { url: `${address}/sign-in#token=${token}`, expires_at }
}

function unknownMember(): AppError {
  return new AppError('unknown_member', 'member_id must be a member of this workspace; GET /members lists them.')
}
