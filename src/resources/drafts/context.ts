import type { Db } from '../../db/connect.ts'
import type { Sender } from '../../engine/draft/compose.ts'
import type { Seller } from '../../engine/draft/offer.ts'
import { learnStyle } from '../../engine/draft/style.ts'
import { getSeller } from '../company-profile/store.ts'
import { listSections } from '../knowledge-base/store.ts'
import { listMemberProfiles, type MemberProfile } from '../me/profile-store.ts'
import { listSignalsToDetect } from '../signals/store.ts'

/** What drafts are written from. */
export type DraftContext = {
  /** The names of all signals by id, including disabled ones, whose detections remain. */
  names: ReadonlyMap<string, string>
  sections: { type: string; title: string; content_md: string }[]
  seller: Seller
  /** The members of whom it is known how they sign, by id. */
  senders: ReadonlyMap<string, Sender>
}

/** Returns the signals as well, because their names are part of the context. */
export async function readDraftContext(db: Db, workspaceId: string) {
  const [signals, sections, seller, profiles] = await Promise.all([
    listSignalsToDetect(db, workspaceId),
    listSections(db, workspaceId),
    getSeller(db, workspaceId),
    listMemberProfiles(db, workspaceId),
  ])
  const context: DraftContext = {
    names: new Map(signals.map(({ id, name }) => [id, name])),
    sections,
    seller,
    senders: new Map(
      profiles.filter(({ is_complete }) => is_complete).map((profile) => [profile.member_id, toSender(profile)]),
    ),
  }
  return { context, signals }
}

/** Edits of drafts teach more than sample messages, because they were made for these drafts. */
function toSender({ sample_messages, greeting, sign_off, body_words, ...profile }: MemberProfile): Sender {
  const samples = sample_messages.map((text) => learnStyle(text, null))
  const lengths = samples.map((sample) => sample.body_words).sort((a, b) => a - b)
  return {
    ...profile,
    greeting: greeting ?? samples.find((sample) => sample.greeting)?.greeting ?? null,
    sign_off: sign_off ?? samples.find((sample) => sample.sign_off)?.sign_off ?? null,
    body_words: body_words ?? lengths[Math.floor(lengths.length / 2)] ?? null,
  }
}
