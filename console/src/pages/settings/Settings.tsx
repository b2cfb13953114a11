import { getRouteApi } from '@tanstack/react-router'
import { Lock, MapPinOff } from 'lucide-react'
import { Suspense } from 'react'
import { useMe } from '../../api/me.ts'
import { Page } from '../../components/Page.tsx'
import { EmptyState, Loading } from '../../components/states.tsx'
import { TabBar } from '../../components/TabBar.tsx'
import { SETTINGS_TABS } from './tabs.ts'

const route = getRouteApi('/app/settings/{-$tab}')

/** The frame of all settings: a tab for each kind, named in the address. */
export function Settings() {
  const { tab } = route.useParams()
  const { member } = useMe()
  const offered = SETTINGS_TABS.filter(({ forAdmins }) => !forAdmins || member.role === 'admin')
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
        <EmptyState icon={Lock} title="This is for admins">
          Ask an admin of your workspace to change it, or to make you one.
        </EmptyState>
      ) : (
        <EmptyState icon={MapPinOff} title="There are no such settings">
          Choose one of the tabs above.
        </EmptyState>
      )}
    </Page>
  )
}
