import { Bell, BookOpen, Building2, Compass, Inbox, type LucideIcon, Radar, Send, Settings, Users } from 'lucide-react'

export type NavigationItem = {
  to: string
  label: string
  icon: LucideIcon
  /** Pressed after g. */
  key: string
  /** What is done there, for the search. */
  about: string
}

/** The pages in the order of the menu. */
export const PAGES: readonly NavigationItem[] = [
  { to: '/', label: 'Today', icon: Bell, key: 't', about: 'The newest findings over all accounts' },
  { to: '/accounts', label: 'Accounts', icon: Building2, key: 'a', about: 'All companies; add, import, export' },
  { to: '/suggested', label: 'Suggested', icon: Inbox, key: 's', about: 'Decide which suggestions to follow' },
  { to: '/discover', label: 'Discover', icon: Compass, key: 'd', about: 'Find companies that show signals' },
  { to: '/people', label: 'People', icon: Users, key: 'p', about: 'Contacts, lists, find people' },
  { to: '/signals', label: 'Signals', icon: Radar, key: 'i', about: 'What Bellwether looks for' },
  { to: '/knowledge', label: 'Knowledge base', icon: BookOpen, key: 'k', about: 'What drafts are written from' },
  { to: '/deliveries', label: 'Deliveries', icon: Send, key: 'l', about: 'Webhooks, pushes, alerts' },
  { to: '/settings', label: 'Settings', icon: Settings, key: 'e', about: 'Members, keys, connections, plan' },
]
