import { Type } from 'typebox'
import { Nullable, OneOf, Rec, Timestamp } from '../../http/schema.ts'

export const Attention = Rec(
  'Attention',
  {
    kind: OneOf([
      'no_internet',
      'source_failing',
      'push_failed',
      'alert_failed',
      'connection_problem',
      'credits_low',
      'credits_used',
      'reader_off',
      'import_failed',
      'backup_failed',
    ]),
    message: Type.String({ description: 'The problem and what to do about it' }),
    since: Nullable(Timestamp()),
    ref: Nullable(
      Type.Object(
        {
          type: OneOf([
            ...(['source', 'push_run', 'alert_channel', 'alert_rule'] as const),
            ...(['connection', 'company_import', 'account_import'] as const),
          ]),
          id: Type.String({ description: 'An id, or the name of a source, a channel or a provider' }),
        },
        { description: 'The object with the problem' },
      ),
    ),
  },
  {
    kind: 'push_failed',
    message: '3 of 500 accounts did not reach Data warehouse: The receiver answered 500. Send them again.',
    since: '2026-11-14T09:31:10.000Z',
    ref: { type: 'push_run', id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9da3' },
  },
)
