import { getRouteApi } from '@tanstack/react-router'
import { Lock, MapPinOff } from 'lucide-react'
import { Suspense } from 'react'
import { useMe } from '../../api/me.ts'
import { Page } from '../../components/Page.tsx'
import { EmptyState, Loading } from '../../components/states.tsx'
import { TabBar } from '../../components/TabBar.tsx'
import { SETTINGS_TABS } from './tabs.ts'

const route = getRouteApi('/app/settings/{-$tab}')

/** The settings page with a tab per topic. The tab is part of the URL. */
export function Settings() {
  const { tab } = route.useParams()
  const { member, workspace } = useMe()
  const offered = SETTINGS_TABS.filter(
    ({ forAdmins, forFirstWorkspace }) =>
      (!forAdmins || member.role === 'admin') && (!forFirstWorkspace || workspace.is_first),
  )
  const current = tab === undefined ? offered[0] : offered.find(({ id }) => id === tab)
  return (
    <Page title="Settings">
      <TabBar
        label="Settings"
        tabs={offered.map(({ id, label }) => ({ to: `/settings/${id}`, label, isHere: id === current?.id }))}
      />
      {current ? (
        <Suspense fallback={<Loading />}>
          <current.Content />
        </Suspense>
      ) : SETTINGS_TABS.some(({ id }) => id === tab) ? (
        <EmptyState icon={Lock} title="Admins only">
          Ask an admin of your workspace for access.
        </EmptyState>
      ) : (
        <EmptyState icon={MapPinOff} title="Page not found">
          Choose a tab above.
        </EmptyState>
      )}
    </Page>
  )
}
