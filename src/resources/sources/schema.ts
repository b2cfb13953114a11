import { Type } from 'typebox'
import { Nullable, OneOf, Rec, Timestamp } from '../../http/schema.ts'

export const Source = Rec(
  'Source',
  {
    name: Type.String(),
    kind: OneOf([
      'website',
      'job_board',
      'filings',
      'awards',
      'layoff_notices',
      'news',
      'software',
      'firmographics',
      'registers',
      'people',
      'email_verification',
      'language_model',
      'reader',
    ]),
    about: Type.String({ description: 'What it provides, in one sentence' }),
    enabled: Type.Boolean(),
    state: OneOf(['works', 'failing', 'off', 'unknown'], {
      description: 'The outcome of its last call; unknown: it was not called yet',
    }),
    since: Nullable(Timestamp({ description: 'Since when it works or fails; null where unknown' })),
    message: Nullable(Type.String({ description: 'Why it fails, or how to switch it on; otherwise null' })),
    last_ok_at: Nullable(Timestamp()),
  },
  {
    name: 'People Data Labs',
    kind: 'people',
    about: 'Who works at a company, and phone numbers.',
    enabled: true,
    state: 'failing',
    since: '2026-11-10T09:00:00.000Z',
    message: 'People Data Labs refuses us or our key (status 401).',
    last_ok_at: '2026-11-10T08:58:12.000Z',
  },
)
