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

/** What leaves Bellwether: where to, what became of it, and the way to send it again. */
export function Deliveries() {
  const { tab } = useDeliveriesSearch()
  const current = tab === undefined ? TABS[0] : TABS.find(({ id }) => id === tab)
  return (
    <Page title="Deliveries" lead="What Bellwether hands on to your other systems, and what became of it.">
      <TabBar
        label="Deliveries"
        tabs={TABS.map(({ id, label }) => ({ to: `/deliveries/${id}`, label, isHere: id === current?.id }))}
      />
      {current ? (
        <Suspense fallback={<Loading />}>
          <current.Content />
        </Suspense>
      ) : (
        <EmptyState icon={MapPinOff} title="There is no such tab">
          Choose one of those above.
        </EmptyState>
      )}
    </Page>
  )
}
