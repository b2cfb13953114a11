import { chatVendor } from '../../providers/chat/registry.ts'
import { CRM_PROVIDERS, CRM_VENDORS, type CrmProvider } from '../../providers/crm/registry.ts'

/** A workspace can connect every CRM and a chat. */
export type ConnectionProvider = CrmProvider | 'chat'

export const CONNECTION_PROVIDERS: ConnectionProvider[] = [...CRM_PROVIDERS, 'chat']

const ALL = [...CRM_VENDORS, { ...chatVendor, id: 'chat' }]

const either = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** `crm_one (HubSpot), … or chat (Slack)` */
export const PROVIDERS_TEXT = either.format(ALL.map(({ id, label }) => `${id} (${label})`))

/** `a service key (crm_one), … or a bot token (chat)` */
export const TOKENS_TEXT = either.format(ALL.map(({ id, tokenName }) => `${tokenName} (${id})`))

/** `crm_two: the address of your organization` */
export const ADDRESSES_TEXT = CRM_VENDORS.flatMap(({ id, origin }) =>
  typeof origin === 'string' ? [] : [`${id}: the ${origin.name}`],
).join('; ')
