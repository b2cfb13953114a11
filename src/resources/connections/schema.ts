import { Type } from 'typebox'
import { Body, Nullable, OneOf, Rec, Timestamp } from '../../http/schema.ts'
import { CRM_PROVIDERS } from '../../providers/crm/registry.ts'
import { CONNECTION_PROVIDERS } from './providers.ts'

const provider = OneOf(CONNECTION_PROVIDERS)
const crm = OneOf(CRM_PROVIDERS)

export const Connection = Rec(
  'Connection',
  {
    provider,
    account: Nullable(Type.String({ description: 'The account at the vendor' })),
    problem: Nullable(Type.String({ description: 'Why it does not work, in a sentence; null while it does' })),
    connected_at: Timestamp(),
  },
  { provider: 'crm_one', account: '48120153', problem: null, connected_at: '2026-11-01T08:00:00.000Z' },
)

export const Connect = Body(
  'Connect',
  {
    provider,
    token: Type.String({
      minLength: 1,
      maxLength: 4000,
      pattern: '^[\\x21-\\x7e]+$',
      description:
        'A service key (crm_one), an access token (crm_two) or a bot token (chat). It is tried, sealed, and never shown again',
    }),
    instance_url: Type.Optional(
      Nullable(Type.String({ maxLength: 300, description: 'crm_two: the address of your organization' })),
    ),
  },
  { provider: 'crm_one', token: 'pat-na1-00000000-0000-0000-0000-000000000000' },
)

export const Authorize = Body('AuthorizeConnection', { provider: crm }, { provider: 'crm_one' })

export const Authorization = Rec(
  'Authorization',
  {
    authorization_url: Type.String({ description: 'Where a person gives their consent; it can be used once' }),
    expires_at: Timestamp(),
  },
  {
    authorization_url: 'https://app.hubspot.com/oauth/authorize?response_type=code&state=…',
    expires_at: '2026-11-01T08:10:00.000Z',
  },
)

export const ProviderParams = Type.Object({ provider })

export const Disconnected = Rec(
  'Disconnected',
  { provider, deleted: Type.Literal(true) },
  { provider: 'crm_one', deleted: true },
)
