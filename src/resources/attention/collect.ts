import type { Static } from 'typebox'
import type { Deps } from '../../deps/deps.ts'
import { chatVendor } from '../../providers/chat/registry.ts'
import { crmVendor, isCrmProvider } from '../../providers/crm/registry.ts'
import { isUnreachableReason, OFFLINE } from '../../providers/preflight/network.ts'
import { type Member, viewerOf } from '../../shared/member.ts'
import { listConnections } from '../connections/store.ts'
import { isChannelOn, isSettingsChannel, type SettingsChannel } from '../notifications/settings.ts'
import { getAlertSettings } from '../notifications/store.ts'
import { listSources } from '../sources/list.ts'
import type { Source } from '../sources/schema.ts'
import { getSubscription } from '../subscription/store.ts'
import type { Attention } from './schema.ts'
import { findFailedAlerts, findFailedImports, findFailedPushes, findOverdueBackup } from './store.ts'

type Item = Static<typeof Attention>
type Listed = Static<typeof Source>

/** Fewer activations left than this share of the plan are reported. */
const LOW = 0.1

const labelOf = (provider: string) => (isCrmProvider(provider) ? crmVendor(provider).label : chatVendor.label)
const both = new Intl.ListFormat('en-GB')

/** Collects the problems the caller may see, each with what to do about it. */
export async function collectAttention(
  deps: Pick<Deps, 'db' | 'config' | 'classifier' | 'secrets'>,
  member: Member,
): Promise<Item[]> {
  const { db, secrets, config } = deps
  const { workspace_id: workspaceId } = member
  const [connections, settings, alerts, pushes, imports, plan, sources, backup] = await Promise.all([
    listConnections(db, workspaceId),
    getAlertSettings(db, workspaceId, secrets),
    findFailedAlerts(db, member),
    findFailedPushes(db, viewerOf(member)),
    findFailedImports(db, workspaceId),
    getSubscription(db, workspaceId),
    listSources(deps, workspaceId),
    member.role === 'admin' ? findOverdueBackup(db, workspaceId, config.BACKUP_EVERY_HOURS) : null,
  ])
  const isAdmin = member.role === 'admin'
  const advise = (what: string) => (isAdmin ? `${what[0]?.toUpperCase()}${what.slice(1)}.` : `Ask an admin to ${what}.`)
  const left = plan.account_limit - plan.credits_used
  const broken = connections.filter(({ problem }) => problem !== null)

  // A delivered test or another URL ends the problem; the problem of a connected chat is reported as that of a connection.
  const isUnresolved = (channel: SettingsChannel) =>
    channel === 'webhook' ? settings.webhook_problem !== null : connections.every(({ provider }) => provider !== 'chat')

  const items: (Item | null)[] = [
    ...broken.map(
      ({ provider, problem, problem_since }): Item => ({
        kind: 'connection_problem',
        message: `${labelOf(provider)}: ${problem} ${advise('repair the connection in the settings')}`,
        since: problem_since,
        ref: { type: 'connection', id: provider },
      }),
    ),
    ...alerts.flatMap(({ channel, rule, count, message, since }): Item[] => {
      const what = count === 1 ? 'An alert' : `${count} alerts`
      const why = message ?? 'there was no response.'
      if (rule) {
        const text = `${what} of the rule “${rule.name}” could not be sent: ${why} Check the rule and send a test.`
        return [{ kind: 'alert_failed', message: text, since, ref: { type: 'alert_rule', id: rule.id } }]
      }
      if (!isSettingsChannel(channel) || !isChannelOn(settings, channel) || !isUnresolved(channel)) return []
      const where = channel === 'webhook' ? 'the notification webhook' : chatVendor.label
      const text = `${what} did not reach ${where}: ${why} ${advise('check the notification settings and send a test')}`
      return [{ kind: 'alert_failed', message: text, since, ref: { type: 'alert_channel', id: channel } }]
    }),
    ...pushes.map(
      ({ id, record_type, total, missing, failure, message, destination, providers, finished_at }): Item => ({
        kind: 'push_failed',
        message: `${missing} of ${total} ${record_type} did not reach ${destination ?? both.format(providers.map(labelOf))}: ${failure ?? message ?? 'They could not be delivered.'} Send them again.`,
        since: finished_at,
        ref: { type: 'push_run', id },
      }),
    ),
    ...imports.map(
      ({ id, kind, failure, finished_at }): Item => ({
        kind: 'import_failed',
        message: `The import of ${kind} ended early: ${failure ?? 'The log contains the reason.'} ${kind === 'accounts' ? 'Import the file again.' : advise('import the file again')}`,
        since: finished_at,
        ref: { type: kind === 'accounts' ? 'account_import' : 'company_import', id },
      }),
    ),
    left <= 0
      ? {
          kind: 'credits_used',
          message: `All ${plan.account_limit} activations of this period are used. ${advise('raise the limit, or wait for the next period')}`,
          since: null,
          ref: null,
        }
      : left <= plan.account_limit * LOW
        ? {
            kind: 'credits_low',
            message: `${left === 1 ? 'One activation is' : `${left} activations are`} left in this period, of ${plan.account_limit}. ${advise('raise the limit before they are used')}`,
            since: null,
            ref: null,
          }
        : null,
    ...listSourceProblems(sources, advise),
    backup && {
      kind: 'backup_failed',
      message: `${backup.error ? `Problem with the last backup: ${backup.error}` : 'The scheduled backup is overdue: no worker has made it.'} Correct the cause and run "bellwether backup", or wait for the next attempt.`,
      since: backup.since,
      ref: null,
    },
  ]
  return items.filter((item) => item !== null)
}

/** The share of the sources in use that must be unreachable, because one response may be of the last moment before. */
const NEARLY_ALL = 0.8
const FEWEST = 3

/** One problem for each failing source; one for all of them when the server itself is offline. */
function listSourceProblems(sources: readonly Listed[], advise: (what: string) => string): Item[] {
  const failing = sources.filter(({ state }) => state === 'failing')
  const unreachable = failing.filter(({ message }) => isUnreachableReason(message))
  const since = unreachable.map(({ since }) => since ?? '').sort()[0] ?? ''
  // What worked before the outage and was not called since says nothing.
  const reached = sources.filter(
    ({ last_ok_at, state }) => state === 'works' && last_ok_at !== null && last_ok_at >= since,
  )
  const isOffline =
    unreachable.length >= FEWEST && unreachable.length >= NEARLY_ALL * (unreachable.length + reached.length)
  const outage: Item[] = isOffline ? [{ kind: 'no_internet', message: OFFLINE, since, ref: null }] : []
  return [
    ...outage,
    ...failing.flatMap((source): Item[] => {
      const { name, kind, message, since } = source
      if (kind === 'reader') {
        const what = `No text is judged, so no signal is found: ${message} ${advise('install the service on a supported platform')}`
        return [{ kind: 'reader_off', message: what, since, ref: { type: 'source', id: name } }]
      }
      if (isOffline && unreachable.includes(source)) return []
      const what = `${message} Research continues without it; the settings show since when, and which sources work.`
      return [{ kind: 'source_failing', message: what, since, ref: { type: 'source', id: name } }]
    }),
  ]
}
