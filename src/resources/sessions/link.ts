import { onMissingReference } from '../../db/errors.ts'
import type { Deps } from '../../deps/deps.ts'
import { AppError } from '../../shared/errors.ts'
import { hashToken, newToken } from '../../shared/tokens.ts'
import { findMember } from '../members/store.ts'
import { insertSignInLink } from './link-store.ts'

/** Long enough to pass the link on, too short for it to be found later. A message in sign-in.ts states it. */
const LINK_SECONDS = 15 * 60

type Request = {
  member_id: string
  /** The key that the session belongs to and ends with. */
  key_id?: string | null
  isEmailed?: boolean
}

/**
 * Returns a one-time link that signs a browser in. The token is in the fragment, which browsers do not send, so it appears in
 * no log and no referrer. Throws unknown_member.
 */
export async function createSignInLink(
  { db }: Pick<Deps, 'db'>,
  workspaceId: string,
  address: string,
  { member_id, key_id = null, isEmailed = false }: Request,
) {
  if (!(await findMember(db, workspaceId, member_id))) throw unknownMember()
  const token = newToken('link')
  const link = { member_id, key_id, hash: hashToken(token), seconds: LINK_SECONDS, isEmailed }
  const { expires_at } = await insertSignInLink(db, workspaceId, link).catch(
    onMissingReference('sign_in_links_member', unknownMember),
  )
  return { url: `${address}/sign-in#token=${token}`, expires_at }
}

function unknownMember(): AppError {
  return new AppError('unknown_member', 'member_id must be a member of this workspace; GET /members lists them.')
}
