import { type ComponentType, lazy } from 'react'

type Tab = {
  /** The last part of the URL: /settings/<id>. */
  id: string
  label: string
  /** Hidden from other members, because the API refuses their requests. */
  forAdmins?: boolean
  /** Hidden in other workspaces than the first, because the API refuses the requests of their admins. */
  forFirstWorkspace?: boolean
  Content: ComponentType
}

/** The tabs in order. The first is the default. Each is loaded when it is opened. */
export const SETTINGS_TABS: readonly Tab[] = [
  { id: 'profile', label: 'Your profile', Content: lazy(() => import('./YourProfile.tsx')) },
  { id: 'members', label: 'Members', Content: lazy(() => import('./Members.tsx')) },
  { id: 'keys', label: 'API keys', forAdmins: true, Content: lazy(() => import('./Keys.tsx')) },
  { id: 'sessions', label: 'Sessions', Content: lazy(() => import('./Sessions.tsx')) },
  { id: 'alerts', label: 'Alerts', Content: lazy(() => import('./Alerts.tsx')) },
  { id: 'connections', label: 'Connections', Content: lazy(() => import('./Connections.tsx')) },
  { id: 'crm', label: 'CRM', Content: lazy(() => import('./Crm.tsx')) },
  { id: 'email', label: 'Email verification', Content: lazy(() => import('./EmailVerification.tsx')) },
  { id: 'sources', label: 'Sources', Content: lazy(() => import('./Sources.tsx')) },
  {
    id: 'server',
    label: 'Server',
    forAdmins: true,
    forFirstWorkspace: true,
    Content: lazy(() => import('./Server.tsx')),
  },
  { id: 'audit', label: 'Audit log', forAdmins: true, Content: lazy(() => import('./AuditLog.tsx')) },
  { id: 'plan', label: 'Plan and usage', Content: lazy(() => import('./Plan.tsx')) },
]
