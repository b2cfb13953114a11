import { Type } from 'typebox'
import { Body, OneOf, Rec, Timestamp } from '../../http/schema.ts'

const status = OneOf(['active', 'inactive'])
const accountLimit = Type.Integer({
  minimum: 0,
  maximum: 10_000_000,
  description: 'Maximum number of activations per period; 10,000,000 stands for no limit',
})

export const Subscription = Rec(
  'Subscription',
  {
    status,
    account_limit: accountLimit,
    period_start: Timestamp(),
    period_end: Timestamp(),
    credits_used: Type.Integer(),
  },
  {
    status: 'active',
    account_limit: 1000,
    period_start: '2026-11-01T00:00:00.000Z',
    period_end: '2026-12-01T00:00:00.000Z',
    credits_used: 42,
  },
)

export const UpdateSubscription = Body(
  'UpdateSubscription',
  {
    status: Type.Optional(status),
    account_limit: Type.Optional(accountLimit),
    period_start: Type.Optional(Timestamp()),
    period_end: Type.Optional(Timestamp()),
  },
  { status: 'active', account_limit: 2500 },
)

export const Usage = Rec(
  'Usage',
  {
    period_start: Timestamp(),
    period_end: Timestamp(),
    credits_used: Type.Integer(),
    credits_left: Type.Integer(),
    members: Type.Integer(),
    api_keys: Type.Integer(),
    signals_enabled: Type.Integer(),
    accounts: Type.Integer(),
    accounts_active: Type.Integer(),
    people: Type.Integer(),
  },
  {
    period_start: '2026-11-01T00:00:00.000Z',
    period_end: '2026-12-01T00:00:00.000Z',
    credits_used: 42,
    credits_left: 958,
    members: 6,
    api_keys: 3,
    signals_enabled: 12,
    accounts: 800,
    accounts_active: 42,
    people: 3100,
  },
)

const period = {
  period_start: Timestamp(),
  period_end: Timestamp(),
  account_limit: Type.Integer(),
  credits_used: Type.Integer(),
}

export const UsageHistory = Rec(
  'UsageHistory',
  {
    periods: Type.Array(Type.Object({ ...period, is_current: Type.Boolean() }), {
      description: 'The current period, then earlier ones, at most 24; periods without activity are left out',
    }),
    days: Type.Array(Type.Object({ day: Type.String({ format: 'date' }), credits_used: Type.Integer() }), {
      description: 'UTC days of the current period on which credits were used',
    }),
    counted_since: Timestamp({ description: 'Daily usage before this time was not recorded' }),
  },
  {
    periods: [
      {
        period_start: '2026-11-01T00:00:00.000Z',
        period_end: '2026-12-01T00:00:00.000Z',
        account_limit: 1000,
        credits_used: 42,
        is_current: true,
      },
      {
        period_start: '2026-10-01T00:00:00.000Z',
        period_end: '2026-11-01T00:00:00.000Z',
        account_limit: 1000,
        credits_used: 310,
        is_current: false,
      },
    ],
    days: [
      { day: '2026-11-03', credits_used: 40 },
      { day: '2026-11-12', credits_used: 2 },
    ],
    counted_since: '2026-09-01T08:00:00.000Z',
  },
)
