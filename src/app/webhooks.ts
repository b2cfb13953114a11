import { JobChangeAlert, SignalAlert, SuggestionAlert, TestAlert, WorkItemAlert } from '../delivery/alerts/schema.ts'
import { TestRow, WebhookAccountRow, WebhookPersonRow } from '../delivery/webhook/schema.ts'
import type { Webhook } from '../http/webhook.ts'
import { AuditRecorded } from '../resources/audit-log/schema.ts'

const [exportTag, alertTag] = ['Webhook export', 'Settings']

/** Every webhook the service sends. A new one is also added to the client's `nameOf` (packages/client/src/webhooks.ts). */
export const WEBHOOKS: readonly Webhook[] = [
  {
    name: 'account.pushed',
    operationId: 'onAccountPushed',
    tag: exportTag,
    summary: 'A pushed account',
    payload: WebhookAccountRow,
  },
  {
    name: 'person.pushed',
    operationId: 'onPersonPushed',
    tag: exportTag,
    summary: 'A pushed person',
    payload: WebhookPersonRow,
  },
  {
    name: 'destination.tested',
    operationId: 'onDestinationTested',
    tag: exportTag,
    summary: 'The test of a destination',
    payload: TestRow,
  },
  {
    name: 'signal.detected',
    operationId: 'onSignalDetected',
    tag: alertTag,
    summary: 'New findings at an active account',
    payload: SignalAlert,
  },
  {
    name: 'account.suggested',
    operationId: 'onAccountSuggested',
    tag: alertTag,
    summary: 'Accounts that discovery suggests',
    payload: SuggestionAlert,
  },
  {
    name: 'people.job_changed',
    operationId: 'onPeopleJobChanged',
    tag: alertTag,
    summary: 'People of an account who left, joined or changed role',
    payload: JobChangeAlert,
  },
  {
    name: 'work_item.done',
    operationId: 'onWorkItemDone',
    tag: alertTag,
    summary: 'Work items of an account that are done',
    payload: WorkItemAlert,
  },
  {
    name: 'alert.tested',
    operationId: 'onAlertTested',
    tag: alertTag,
    summary: 'The test of the notification webhook or of an alert rule',
    payload: TestAlert,
  },
  {
    name: 'audit.recorded',
    operationId: 'onAuditRecorded',
    tag: 'Audit log',
    summary: 'New entries of the audit log',
    payload: AuditRecorded,
  },
]
