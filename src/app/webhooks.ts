import { JobChangeAlert, SignalAlert, SuggestionAlert, TestAlert } from '../delivery/alerts/schema.ts'
import { TestRow, WebhookAccountRow, WebhookPersonRow } from '../delivery/webhook/schema.ts'
import type { Webhook } from '../http/webhook.ts'

const [pushed, told] = ['Webhook export', 'Settings']

/** Everything the service sends to receivers. A new one is a line here and in the client's `nameOf` (packages/client/src/webhooks.ts). */
export const WEBHOOKS: readonly Webhook[] = [
  {
    name: 'account.pushed',
    operationId: 'onAccountPushed',
    tag: pushed,
    summary: 'A pushed account',
    payload: WebhookAccountRow,
  },
  {
    name: 'person.pushed',
    operationId: 'onPersonPushed',
    tag: pushed,
    summary: 'A pushed person',
    payload: WebhookPersonRow,
  },
  {
    name: 'destination.tested',
    operationId: 'onDestinationTested',
    tag: pushed,
    summary: 'The test of a destination',
    payload: TestRow,
  },
  {
    name: 'signal.detected',
    operationId: 'onSignalDetected',
    tag: told,
    summary: 'New findings at an active account',
    payload: SignalAlert,
  },
  {
    name: 'account.suggested',
    operationId: 'onAccountSuggested',
    tag: told,
    summary: 'Accounts that discovery suggests',
    payload: SuggestionAlert,
  },
  {
    name: 'people.job_changed',
    operationId: 'onPeopleJobChanged',
    tag: told,
    summary: 'People of an account who left, came or changed role',
    payload: JobChangeAlert,
  },
  {
    name: 'alert.tested',
    operationId: 'onAlertTested',
    tag: told,
    summary: 'The test of the notification webhook',
    payload: TestAlert,
  },
]
