import type { AlertChannel } from '../../db/alert-tables.ts'
import { maskUrl } from '../../outbound/url-policy.ts'
import type { Settings } from './store.ts'

/** Where a channel leads, as everybody may read it; null when nowhere. */
export function targetOf({ webhook_url, chat_channel }: Settings, channel: AlertChannel): string | null {
  return channel === 'webhook' ? webhook_url && maskUrl(webhook_url) : chat_channel || null
}

export function isOn(settings: Settings, channel: AlertChannel): boolean {
  const { webhook_enabled, chat_enabled } = settings
  return (channel === 'webhook' ? webhook_enabled : chat_enabled) && targetOf(settings, channel) !== null
}
