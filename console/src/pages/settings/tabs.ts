import { type ComponentType, lazy } from 'react'

type Tab = {
  /** Its place in the address: /settings/<id>. */
  id: string
  label: string
  /** Others are not answered, so it is not offered to them. */
  forAdmins?: boolean
  Content: ComponentType
}

/** The tabs in their order; the first is shown where the address names none. Each has a file, loaded when it is opened. */
export const SETTINGS_TABS: readonly Tab[] = [
  { id: 'members', label: 'Members', Content: lazy(() => import('./Members.tsx')) },
  { id: 'keys', label: 'API keys', forAdmins: true, Content: lazy(() => import('./Keys.tsx')) },
  { id: 'sessions', label: 'Sessions', Content: lazy(() => import('./Sessions.tsx')) },
  { id: 'notifications', label: 'Notifications', Content: lazy(() => import('./Notifications.tsx')) },
  { id: 'connections', label: 'Connections', Content: lazy(() => import('./Connections.tsx')) },
  { id: 'email', label: 'Email verification', Content: lazy(() => import('./EmailVerification.tsx')) },
  { id: 'sources', label: 'Sources', Content: lazy(() => import('./Sources.tsx')) },
  { id: 'plan', label: 'Plan and usage', Content: lazy(() => import('./Plan.tsx')) },
]
