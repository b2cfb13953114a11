import type { Deps } from '../../deps/deps.ts'
import { createWebhookSecret } from '../../outbound/signing.ts'
import { maskUrl } from '../../outbound/url-policy.ts'
import { AppError, rethrowForField } from '../../shared/errors.ts'
import { insertDestination, replaceSecret } from './store.ts'

const MAX_NAME = 80
const DEFAULT_OVERLAP_HOURS = 24

type Parts = Pick<Deps, 'db' | 'secrets' | 'outbound'>

/** Adds a destination with a new signing secret. Throws invalid_request, name_taken, url_not_allowed. */
export async function createDestination(
  { db, secrets, outbound }: Parts,
  workspaceId: string,
  given: { name: string; url: string },
) {
  const name = given.name.trim()
  // Graphemes: a family emoji or an accented letter counts as one character.
  const length = [...new Intl.Segmenter().segment(name)].length
  if (length > MAX_NAME) {
    const details = [{ path: 'name', message: `must have at most ${MAX_NAME} characters` }]
    throw new AppError('invalid_request', `name must have at most ${MAX_NAME} characters; it has ${length}.`, {
      details,
    })
  }
  const url = await outbound.policy.check(given.url).catch(rethrowForField('url'))
  return insertDestination(db, workspaceId, secrets, {
    name,
    url: url.href,
    urlMasked: maskUrl(url.href),
    secret: createWebhookSecret(),
  })
}

/** Replaces the secret of a destination; during the overlap deliveries carry both signatures. Throws not_found. */
export function rotateSecret(
  { db, secrets }: Parts,
  workspaceId: string,
  id: string,
  overlapHours = DEFAULT_OVERLAP_HOURS,
) {
  return replaceSecret(db, workspaceId, id, secrets, createWebhookSecret(), overlapHours)
}
