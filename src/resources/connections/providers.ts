import { CRM_PROVIDERS, type CrmProvider } from '../../providers/crm/registry.ts'

/** What a workspace can connect: every CRM, and a chat. */
export type ConnectionProvider = CrmProvider | 'chat'

export const CONNECTION_PROVIDERS: ConnectionProvider[] = [...CRM_PROVIDERS, 'chat']
