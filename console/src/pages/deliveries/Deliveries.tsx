import { MapPinOff } from 'lucide-react'
import { type ComponentType, lazy, Suspense } from 'react'
import { Page } from '../../components/Page.tsx'
import { EmptyState, Loading } from '../../components/states.tsx'
import { TabBar } from '../../components/TabBar.tsx'
import { useDeliveriesSearch } from './use-deliveries-search.ts'

const TABS: readonly { id: string; label: string; Content: ComponentType }[] = [
  { id: 'destinations', label: 'Destinations', Content: lazy(() => import('./Destinations.tsx')) },
  { id: 'log', label: 'Delivery log', Content: lazy(() => import('./DeliveryLog.tsx')) },
  { id: 'pushes', label: 'Pushes', Content: lazy(() => import('./Pushes.tsx')) },
  { id: 'alerts', label: 'Alerts', Content: lazy(() => import('./Alerts.tsx')) },
]

/** Outbound data: destinations, delivery log, pushes and alerts. */
export function Deliveries() {
  const { tab } = useDeliveriesSearch()
  const current = tab === undefined ? TABS[0] : TABS.find(({ id }) => id === tab)
  return (
    <Page title="Deliveries" lead="Data sent to your other systems">
      <TabBar
        label="Deliveries"
        tabs={TABS.map(({ id, label }) => ({ to: `/deliveries/${id}`, label, isHere: id === current?.id }))}
      />
      {current ? (
        <Suspense fallback={<Loading />}>
          <current.Content />
        </Suspense>
      ) : (
        <EmptyState icon={MapPinOff} title="Page not found">
          Choose a tab above.
        </EmptyState>
      )}
    </Page>
  )
}
