import type { Static } from 'typebox'
import type { Deps } from '../../deps/deps.ts'
import { classifierUnavailableMessage } from '../../engine/classifier/index.ts'
import { MAIL_NOT_CONFIGURED } from '../../outbound/mail.ts'
import { isCrmProvider } from '../../providers/crm/registry.ts'
import { edgarDisabledReason } from '../../providers/filings/edgar.ts'
import type { Member } from '../../shared/member.ts'
import { findConnection, listConnections } from '../connections/store.ts'
import { maskAlertSettings } from '../notifications/settings.ts'
import { getAlertSettings } from '../notifications/store.ts'
import { countDestinations } from '../webhook-destinations/store.ts'
import { describeVerification } from './email-verification.ts'
import { findMcpUse } from './mcp-use-store.ts'
import { listProviderHealth } from './provider-health-store.ts'
import type { Integrations } from './schema.ts'

/** Returns which integrations are connected and enabled, with their current problems. */
export async function reportIntegrations(
  parts: Pick<Deps, 'config' | 'db' | 'secrets' | 'classifier'>,
  member: Member,
  address: string,
): Promise<Static<typeof Integrations>> {
  const { config, db, secrets, classifier } = parts
  const { workspace_id: workspaceId } = member
  const [settings, connections, chat, destinations, reading, email_verification, providers, last_used_at] =
    await Promise.all([
      getAlertSettings(db, workspaceId, secrets),
      listConnections(db, workspaceId),
      findConnection(db, workspaceId, 'chat', secrets),
      countDestinations(db, workspaceId),
      classifier.checkRuntime(),
      describeVerification(parts, workspaceId),
      listProviderHealth(db),
      findMcpUse(db, workspaceId),
    ])
  const { webhook_url, webhook_enabled, webhook_problem, chat_channel } = maskAlertSettings(member, settings)
  const crms = connections.flatMap(({ provider, connected_at, problem }) =>
    isCrmProvider(provider) ? [{ provider, connected_at, problem }] : [],
  )
  const [first] = crms
  const filingsProblem = edgarDisabledReason(config)
  return {
    crm: first
      ? { connected: true, ...first }
      : { connected: false, provider: null, connected_at: null, problem: null },
    crms,
    chat: {
      connected: chat !== null,
      channel: chat_channel,
      interactions_url: chat?.credential.signing_secret ? `${address}/chat/${workspaceId}/interactions` : null,
      problem: chat?.problem ?? null,
    },
    webhook: { enabled: webhook_enabled && webhook_url !== null, url: webhook_url, problem: webhook_problem },
    webhook_destinations: { count: destinations },
    mcp: { enabled: config.MCP_ENABLED, url: config.MCP_ENABLED ? `${address}/mcp` : null, last_used_at },
    email_verification,
    mail: { enabled: config.SMTP_URL !== null, problem: config.SMTP_URL === null ? MAIL_NOT_CONFIGURED : null },
    filings: { enabled: config.SOURCES.has('sec') && filingsProblem === null, problem: filingsProblem },
    reader: {
      ready: reading.ready,
      version: reading.version,
      problem: reading.ready ? null : classifierUnavailableMessage(reading.reason),
    },
    providers: {
      problems: providers.flatMap(({ provider: name, kind, message, failed_at }) =>
        kind && message && failed_at ? [{ name, kind, message, failed_at }] : [],
      ),
    },
  }
}
