import type { Deps } from '../../deps/deps.ts'
import { toE164 } from '../../engine/people/phone-number.ts'
import { countryCode } from '../../providers/countries.ts'
import { PHONE_SOURCES } from '../../providers/phone/index.ts'
import { type PersonRef, type ProviderParts, toProviderDeps } from '../../providers/types.ts'
import { getPerson } from '../../resources/people/store.ts'
import { refreshWorkItem } from '../../resources/work-items/rank.ts'
import { lockWorkspaceShared } from '../../resources/workspaces/store.ts'
import { isoDate } from '../../shared/days.ts'
import type { Viewer } from '../../shared/member.ts'
import { type ContactRecord, getContactRecord, savePhone } from '../contact-store.ts'
import { lookUpOnce, rethrowTimeout } from '../lookup.ts'
import { recordMoves } from '../moves/record.ts'
import { recordReveal } from '../record-reveal.ts'

type Parts = Pick<Deps, 'db' | 'jobs' | 'secrets'> & ProviderParts
type Revealed = { phone: string | null; phone_url: string | null; reason: string | null }

const LOOKUP_MS = 60_000

/** Returns a person's own phone number in E.164, and looks it up when it is not stored. Throws not_found, unavailable. */
export async function revealPhone(parts: Parts, viewer: Viewer, id: string, memberId: string) {
  const { db, config } = parts
  const workspaceId = viewer.workspace_id
  const person = await getPerson(db, viewer, id)
  if (person.phone) return { id: person.id, phone: person.phone, phone_url: person.phone_url, reason: null }
  const signal = AbortSignal.timeout(LOOKUP_MS)
  const read = () => getContactRecord(db, workspaceId, person.id, config.EMAIL_RECHECK_DAYS)
  const before = await read()
  const revealed = await lookUpOnce<Revealed>(parts, workspaceId, {
    subject: `phone:${person.id}`,
    signal,
    known: async () => {
      const { phone, phone_url, phone_note, phone_checked_at, is_phone_recent } = await read()
      const isNew = phone_checked_at !== before.phone_checked_at
      return phone === null && !is_phone_recent && !isNew ? null : toRevealed(phone, phone_url, phone_note)
    },
    run: async () => findPhone(parts, workspaceId, await read(), signal),
  }).catch(rethrowTimeout(signal))
  if (revealed.phone) await recordReveal(db, workspaceId, person, memberId, 'phone')
  return { id: person.id, ...revealed }
}

function toRevealed(phone: string | null, phone_url: string | null, note: string | null): Revealed {
  return { phone, phone_url, reason: phone ? null : note }
}

/** Returns the number from the roster, or queries the sources. */
async function findPhone(
  parts: Parts,
  workspaceId: string,
  person: ContactRecord,
  signal: AbortSignal,
): Promise<Revealed> {
  const { config, db } = parts
  const save = async (result: Parameters<typeof savePhone>[3]) => {
    const { phone, phone_url, phone_note } = await savePhone(db, workspaceId, person.id, result)
    if (phone) await refreshWorkItem({ ...parts, db }, workspaceId, person.account_id)
    return toRevealed(phone, phone_url, phone_note)
  }
  if (person.found_phone) {
    const { found_phone: phone, found_phone_source: source, found_phone_url: url } = person
    return save({ phone, source, url, note: null, left_on: null })
  }
  const country = person.country_code ?? countryCode(person.country)
  const company = { name: person.company, domain: person.domain }
  const who: PersonRef = { full_name: person.full_name, network_url: person.network_url, company }
  let failure: string | null = null
  let leftOn: string | null = null
  for (const source of PHONE_SOURCES.filter(({ isOn }) => isOn(config))) {
    const found = await source.find(toProviderDeps(parts, signal), who)
    if (found.outcome === 'failed') failure = found.reason
    if (found.outcome !== 'items') continue
    for (const { phones, left_on } of found.items) {
      leftOn ??= left_on
      if (left_on && !person.left_on) await recordDeparture(parts, workspaceId, person, source.name)
      const phone = phones.map((text) => toE164(text, country)).find((number) => number !== null)
      if (phone) return save({ phone, source: source.name, url: null, note: null, left_on: leftOn })
    }
  }
  // A failed source means that the lookup is incomplete, so it is not stored.
  if (failure) return toRevealed(null, null, failure)
  return save({
    phone: null,
    source: null,
    url: null,
    note: 'No source has a number for this person.',
    left_on: leftOn,
  })
}

/** Records a departure that a vendor reports for the profile page. The vendor's day is often derived from a month, so it is not stored. */
async function recordDeparture(
  parts: Parts,
  workspaceId: string,
  person: ContactRecord,
  source: string,
): Promise<void> {
  const { id, account_id, network_url, company, domain, title } = person
  if (!network_url) return
  const today = isoDate(parts.now())
  await parts.db.transaction().execute(async (db) => {
    await lockWorkspaceShared(db, workspaceId)
    const from = { employer: company, domain, account_id, title }
    const evidence = [{ url: network_url, source, seen_on: today }]
    const move = {
      person_id: id,
      account_id,
      kind: 'left' as const,
      from,
      to: null,
      is_gone: true,
      happened_on: null,
      evidence,
    }
    await recordMoves({ ...parts, db }, workspaceId, [move], today)
  })
}
