import { type Static, Type } from 'typebox'
import { Body, Nullable, OneOf, Rec, Timestamp } from '../../http/schema.ts'

const STEPS = ['website', 'profile', 'crm', 'companies', 'signals', 'alerts'] as const
const step = OneOf([...STEPS], {
  description:
    'website: your own site. profile: your name and signature. crm: the CRM to read. companies: accounts to monitor. signals: events to track. alerts: how you are notified',
})

const example = {
  steps: [
    { id: 'website', state: 'done', count: 6 },
    { id: 'profile', state: 'skipped', count: 0 },
    { id: 'crm', state: 'done', count: 1 },
    { id: 'companies', state: 'done', count: 12 },
    { id: 'signals', state: 'open', count: 12 },
    { id: 'alerts', state: 'open', count: 0 },
  ],
  next: 'signals',
  is_dismissed: false,
  is_fresh: false,
  scans: {
    running: 3,
    reading: {
      account_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87',
      account_name: 'Northwind Freight',
      url: 'https://northwind.example/news',
      pages: 4,
    },
    last: null,
  },
  finding: null,
}

export const Setup = Rec(
  'Setup',
  {
    steps: Type.Array(
      Type.Object({
        id: step,
        state: OneOf(['done', 'open', 'skipped'], { description: 'Follows from what is stored; skipped: put off' }),
        count: Type.Integer({
          description:
            'Pages read of your site, connected CRMs that were read, active accounts (at most 1,000), enabled signals, or ways to notify you; for the profile 1 if it is filled in',
        }),
      }),
      { description: 'Without open steps that you may not take' },
    ),
    next: Nullable({ ...step, description: 'The first open step' }),
    is_dismissed: Type.Boolean(),
    is_fresh: Type.Boolean({ description: 'For an admin: no step is done or put off, and there is no account' }),
    scans: Type.Object({
      running: Type.Integer(),
      reading: Nullable(
        Type.Object(
          {
            account_id: Type.String(),
            account_name: Type.String(),
            url: Nullable(Type.String({ description: 'The last page read; null before the first' })),
            pages: Type.Integer({ description: 'Pages read so far' }),
          },
          { description: 'The running scan with the latest progress' },
        ),
      ),
      last: Nullable(
        Type.Object(
          {
            account_id: Type.String(),
            account_name: Type.String(),
            status: OneOf(['done', 'failed']),
            failure: Nullable(Type.String()),
            documents: Type.Integer(),
            finished_at: Timestamp(),
          },
          { description: 'The scan that ended last' },
        ),
      ),
    }),
    finding: Nullable(
      Type.Object(
        {
          id: Type.String(),
          account_id: Type.String(),
          account_name: Type.String(),
          headline: Type.String(),
        },
        { description: 'The first finding' },
      ),
    ),
  },
  example,
)
export type Setup = Static<typeof Setup>

export const UpdateSetup = Body(
  'UpdateSetup',
  {
    step: Type.Optional(step),
    choice: Type.Optional(
      Nullable(
        OneOf(['later', 'keep'], {
          description: 'Of the step. later: put it off. keep: the defaults are right. null: take it up again',
        }),
      ),
    ),
    is_dismissed: Type.Optional(Type.Boolean()),
  },
  { step: 'profile', choice: 'later' },
)
export type UpdateSetup = Static<typeof UpdateSetup>

export const PreflightQuery = Type.Object({
  again: Type.Optional(Type.Boolean({ description: 'true: check now, not within the last five minutes' })),
})

export const Preflight = Rec(
  'Preflight',
  {
    checked_at: Timestamp(),
    is_offline: Type.Boolean({ description: 'Whether this server has no internet access' }),
    checks: Type.Array(
      Type.Object({
        id: OneOf(['internet', 'dns', 'mail_servers', 'smtp', 'chat', 'crm_one', 'crm_two']),
        label: Type.String(),
        state: OneOf(['works', 'failing', 'off']),
        message: Type.String({ description: 'The result, and what to do about a failure' }),
      }),
    ),
  },
  {
    checked_at: '2026-11-14T09:30:00.000Z',
    is_offline: false,
    checks: [
      { id: 'internet', label: 'Internet', state: 'works', message: '3 of 3 hosts responded.' },
      {
        id: 'mail_servers',
        label: 'Mail server check',
        state: 'failing',
        message: 'Port 25 is blocked. Ask your hosting provider to open it, or set ZEROBOUNCE_API_KEY.',
      },
    ],
  },
)
export type Preflight = Static<typeof Preflight>
