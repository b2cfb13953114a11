import { maskUrl } from '../../outbound/url-policy.ts'
import { canReadSecrets, type Member } from '../../shared/member.ts'
import type { Settings } from './store.ts'

/** The settings as a member may read them: where the webhook leads and what signs for it is shown to admins alone. */
export function shownTo(member: Member, settings: Settings): Settings {
  if (canReadSecrets(member)) return settings
  const { webhook_url } = settings
  return { ...settings, webhook_url: webhook_url && maskUrl(webhook_url), webhook_secret: null }
}
