import type { Config } from '../../config/config.ts'
import { chatVendor } from '../../providers/chat/registry.ts'
import { oauthApp } from '../../providers/crm/oauth.ts'
import { CRM_VENDORS } from '../../providers/crm/registry.ts'

/** Lists what can be connected, with labels and the kind of credential. */
export function describeProviders(config: Config) {
  return [
    ...CRM_VENDORS.map((vendor) => ({
      provider: vendor.id,
      kind: 'crm' as const,
      label: vendor.label,
      token_name: vendor.tokenName,
      instance_url:
        typeof vendor.origin === 'string' ? null : { name: vendor.origin.name, example: vendor.origin.example },
      consent: oauthApp(vendor, config) !== null,
    })),
    {
      provider: 'chat' as const,
      kind: 'chat' as const,
      label: chatVendor.label,
      token_name: chatVendor.tokenName,
      instance_url: null,
      consent: false,
    },
  ]
}
