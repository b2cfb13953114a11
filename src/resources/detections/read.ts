import type { Static } from 'typebox'
import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import { findQuote, passageAround, segmentSentences } from '../../engine/text/passage.ts'
import { daysBefore, isoDate } from '../../shared/days.ts'
import type { Viewer } from '../../shared/member.ts'
import { getAccount } from '../accounts/store.ts'
import { countByWeek } from './feed-store.ts'
import { getProofs } from './feedback-store.ts'
import { type EvidencePassage, MAX_WEEKS, type SignalsQuery, type WeeksQuery } from './schema.ts'
import { listDetections } from './store.ts'

/** Each proof of a detection with its surroundings in the stored document. Throws not_found. */
export async function readEvidence(
  db: Db,
  workspaceId: string,
  accountId: string,
  detectionId: string,
): Promise<Static<typeof EvidencePassage>[]> {
  const proofs = await getProofs(db, workspaceId, accountId, detectionId)
  return proofs.map(({ proof, kept, title, text, published_date }) => {
    const { claim, quote = null, source_url, role = null } = proof
    const passage = quote === null || text === null ? null : passageAround(title, proseOf(text, quote, title), quote)
    return {
      source_url,
      title,
      published_date: proof.published_date ?? published_date,
      claim,
      quote,
      before: passage?.before ?? null,
      after: passage?.after ?? null,
      role,
      document_kept: kept,
    }
  })
}

/**
 * The distance from a quote within which neighbouring sentences are searched: bylines and menus in between are short.
 */
const NEAR_CHARS = 2_000

/** The text around a quote without lines that are not sentences, such as title, date and byline. */
function proseOf(text: string, quote: string, title: string | null): string {
  const [start, end] = findQuote(text, quote) ?? [0, 0]
  const before = text.slice(Math.max(0, start - NEAR_CHARS), start)
  const after = text.slice(end, end + NEAR_CHARS)
  const isProse = (line: string) => /[.!?…:]["'”’»)\]]*$/.test(line.trim()) && line.trim() !== title?.trim()
  // The rest of the line of the quote belongs to its sentence.
  const opening = before.slice(before.lastIndexOf('\n') + 1)
  const rest = end > 0 ? (after.split('\n', 1)[0] ?? '') : ''
  const above = segmentSentences(before.slice(0, before.length - opening.length))
  const below = segmentSentences(after.slice(rest.length))
  return [
    // The first line was cut.
    ...(start > NEAR_CHARS ? above.slice(1) : above).filter(isProse),
    ...(above.length > 0 ? ['\n'] : []),
    opening,
    text.slice(start, end),
    rest,
    '\n',
    ...below.filter(isProse),
  ].join('')
}

/** The detections of an account, the latest events first. Throws not_found. */
export async function readAccountSignals(db: Db, viewer: Viewer, id: string, asked: Static<typeof SignalsQuery>) {
  await getAccount(db, viewer.workspace_id, id)
  return listDetections(db, viewer, id, asked)
}

/** The number of detections in the last weeks, including the current one, by the day of the event. */
export function readWeeks(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  workspaceId: string,
  { weeks, ...filters }: WeeksQuery,
) {
  const today = now()
  const sinceMonday = (today.getUTCDay() + 6) % 7
  return countByWeek(
    db,
    workspaceId,
    filters,
    daysBefore(isoDate(today), sinceMonday + 7 * (Math.min(weeks, MAX_WEEKS) - 1)),
  )
}
