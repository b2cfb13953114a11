import {
  Bell,
  BookOpen,
  Building2,
  ChartNoAxesColumn,
  Compass,
  Inbox,
  type LucideIcon,
  Newspaper,
  Radar,
  Send,
  Settings,
  Users,
} from 'lucide-react'

export type NavigationItem = {
  to: string
  label: string
  icon: LucideIcon
  /** The shortcut key after `g`. */
  key: string
  /** Shown in the command palette. */
  about: string
}

/** The pages in menu order. */
export const PAGES: readonly NavigationItem[] = [
  { to: '/', label: 'Today', icon: Bell, key: 't', about: 'Whom to contact today' },
  { to: '/findings', label: 'Findings', icon: Newspaper, key: 'f', about: 'Latest findings across all accounts' },
  { to: '/accounts', label: 'Accounts', icon: Building2, key: 'a', about: 'View, add, import and export accounts' },
  { to: '/suggested', label: 'Suggested', icon: Inbox, key: 's', about: 'Review suggested accounts' },
  { to: '/discover', label: 'Discover', icon: Compass, key: 'd', about: 'Find companies with buying signals' },
  { to: '/people', label: 'People', icon: Users, key: 'p', about: 'Contacts, lists and search' },
  { to: '/signals', label: 'Signals', icon: Radar, key: 'i', about: 'Events that Bellwether tracks' },
  {
    to: '/knowledge',
    label: 'Knowledge base',
    icon: BookOpen,
    key: 'k',
    about: 'What you sell and to whom: your ideal customer matters most',
  },
  {
    to: '/results',
    label: 'Results',
    icon: ChartNoAxesColumn,
    key: 'r',
    about: 'Replies and deals that findings led to',
  },
  { to: '/deliveries', label: 'Deliveries', icon: Send, key: 'l', about: 'Webhooks, pushes and alerts' },
  {
    to: '/settings',
    label: 'Settings',
    icon: Settings,
    key: 'e',
    about: 'Your profile, members, connections and plan',
  },
]
