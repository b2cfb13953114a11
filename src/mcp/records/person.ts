import type { Schemas } from '@bellwether/client'
import { type Static, Type } from 'typebox'
import { Nullable } from '../../http/schema.ts'
import { Shape } from '../shared/define.ts'
import { line, NOTICE, named } from '../shared/quoted.ts'

export const Person = Shape({
  id: Type.String(),
  account_id: Type.String(),
  account_name: Type.String(),
  tier: Nullable(Type.Integer({ description: '1 is the ideal role of the search, higher ones are fallbacks' })),
  email: Nullable(Type.String({ description: 'A verified work email' })),
  email_reason: Nullable(Type.String({ description: 'Why there is no verified email' })),
  left_on: Nullable(Type.String({ description: 'Since when a source shows them gone' })),
  quoted: Shape(
    {
      full_name: Type.String(),
      title: Nullable(Type.String()),
      location: Nullable(Type.String()),
      source_url: Nullable(Type.String({ description: 'The page that names them' })),
    },
    { description: NOTICE },
  ),
})
export type Person = Static<typeof Person>

export function person(one: Schemas['Person'] & { found_url?: string | null }): Person {
  const { id, account_id, account_name, icp_tier, email, email_reason, left_on, full_name, title, location } = one
  return {
    ...{ id, account_id, account_name: line(account_name, 120), tier: icp_tier },
    ...{ email, email_reason: email === null ? email_reason && line(email_reason, 300) : null, left_on },
    quoted: {
      full_name: line(full_name, 120),
      title: title && line(title, 160),
      location: location && line(location, 100),
      source_url: one.found_url ?? one.network_url,
    },
  }
}

export function personText({ id, account_name, tier, email, email_reason, left_on, quoted }: Person): string {
  const { full_name, title } = quoted
  const mail = email ?? `no verified email${email_reason ? ` (${named(email_reason, 200)})` : ''}`
  const gone = left_on ? `, no longer there since ${left_on}` : ''
  const role = title ? `, ${named(title)}` : ''
  return `- ${named(full_name)}${role} at ${named(account_name)}${tier === null ? '' : `, tier ${tier}`}: ${mail}${gone}, id ${id}`
}
