import { Type } from 'typebox'
import { Nullable, OneOf, Rec, Timestamp } from '../../http/schema.ts'

const provider = OneOf(['crm_one', 'crm_two'])

export const Integrations = Rec(
  'Integrations',
  {
    crm: Type.Object(
      { connected: Type.Boolean(), provider: Nullable(provider), connected_at: Nullable(Timestamp()) },
      { description: 'The CRM connected first' },
    ),
    crms: Type.Array(Type.Object({ provider, connected_at: Timestamp() })),
    chat: Type.Object({ connected: Type.Boolean(), channel: Nullable(Type.String()) }),
    webhook: Type.Object({ enabled: Type.Boolean(), url: Nullable(Type.String()) }),
    webhook_destinations: Type.Object({ count: Type.Integer() }),
    mcp: Type.Object({ enabled: Type.Boolean() }),
  },
  {
    crm: { connected: true, provider: 'crm_one', connected_at: '2026-11-01T08:00:00.000Z' },
    crms: [{ provider: 'crm_one', connected_at: '2026-11-01T08:00:00.000Z' }],
    chat: { connected: false, channel: null },
    webhook: { enabled: true, url: 'https://hooks.northwind.example/bellwether' },
    webhook_destinations: { count: 2 },
    mcp: { enabled: false },
  },
)
