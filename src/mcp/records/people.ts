import type { Schemas } from '@bellwether/client'
import { type Static, Type } from 'typebox'
import { Nullable } from '../../http/schema.ts'
import { ClosedObject } from '../shared/tool.ts'
import { quoteName, singleLine, UNTRUSTED_NOTICE } from '../shared/untrusted-text.ts'

export const PersonRecord = ClosedObject({
  id: Type.String(),
  account_id: Type.String(),
  account_name: Type.String(),
  tier: Nullable(Type.Integer({ description: '1 is the ideal role of the search, higher tiers are fallbacks' })),
  email: Nullable(Type.String({ description: 'A verified work email' })),
  email_reason: Nullable(Type.String({ description: 'Why there is no verified email' })),
  left_on: Nullable(Type.String({ description: 'Date since which a source shows that they have left' })),
  quoted: ClosedObject(
    {
      full_name: Type.String(),
      title: Nullable(Type.String()),
      location: Nullable(Type.String()),
      source_url: Nullable(Type.String({ description: 'The page that mentions them' })),
    },
    { description: UNTRUSTED_NOTICE },
  ),
})
export type PersonRecord = Static<typeof PersonRecord>

export function toPersonRecord(one: Schemas['Person'] & { found_url?: string | null }): PersonRecord {
  const { id, account_id, account_name, icp_tier, email, email_reason, left_on, full_name, title, location } = one
  return {
    ...{ id, account_id, account_name: singleLine(account_name, 120), tier: icp_tier },
    ...{ email, email_reason: email === null ? email_reason && singleLine(email_reason, 300) : null, left_on },
    quoted: {
      full_name: singleLine(full_name, 120),
      title: title && singleLine(title, 160),
      location: location && singleLine(location, 100),
      source_url: one.found_url ?? one.network_url,
    },
  }
}

export function formatPerson({ id, account_name, tier, email, email_reason, left_on, quoted }: PersonRecord): string {
  const { full_name, title } = quoted
  const mail = email ?? `no verified email${email_reason ? ` (${quoteName(email_reason, 200)})` : ''}`
  const gone = left_on ? `, no longer there since ${left_on}` : ''
  const role = title ? `, ${quoteName(title)}` : ''
  return `- ${quoteName(full_name)}${role} at ${quoteName(account_name)}${tier === null ? '' : `, tier ${tier}`}: ${mail}${gone}, id ${id}`
}
