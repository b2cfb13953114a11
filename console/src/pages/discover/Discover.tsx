import { Button, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { Upload } from 'lucide-react'
import { queries } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { Page } from '../../components/Page.tsx'
import { pluralize } from '../../lib/format.ts'
import { DiscoverForm } from './DiscoverForm.tsx'
import { DiscoveryRun } from './DiscoveryRun.tsx'
import classes from './discover.module.css'
import { ImportCompanies } from './ImportCompanies.tsx'
import { RecentRuns } from './RecentRuns.tsx'
import type { DiscoverSearch } from './search.ts'

const route = getRouteApi('/app/discover')

/** Discovery runs: the form on the left, the results on the right. */
export function Discover() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { admin } = useRights()
  const facets = queries.useQuery('get', '/v1/companies/facets', {}, { staleTime: 300_000 })
  const total = facets.data?.data.total ?? 0
  const change = (changes: Partial<DiscoverSearch>, options: { replace?: boolean } = {}) =>
    navigate({ search: (before) => ({ ...before, ...changes }), resetScroll: false, ...options })

  return (
    <Page
      title="Discover"
      wide
      lead={
        facets.isPending
          ? 'Find companies with your signals'
          : total > 0
            ? `Searches ${pluralize(total, 'company', 'companies')}, news and filings`
            : 'Searches news and filings. Import companies to search those, too.'
      }
      actions={
        admin && (
          <Button
            variant="default"
            leftSection={<Upload size={16} aria-hidden />}
            onClick={() => change({ companies: true })}
          >
            Import companies
          </Button>
        )
      }
    >
      <div className={classes.columns}>
        <DiscoverForm search={search} change={change} facets={facets.data?.data} />
        <Stack gap="xl">
          {search.run && (
            <div key={search.run} ref={bringIntoView} className={classes.run}>
              <DiscoveryRun id={search.run} change={change} />
            </div>
          )}
          <RecentRuns current={search.run} />
        </Stack>
      </div>
      {search.companies && admin && <ImportCompanies onClose={() => change({ companies: undefined })} />}
    </Page>
  )
}

/** On narrow screens the results are below the form, so a started run is scrolled into view. */
function bringIntoView(element: HTMLElement | null) {
  if (element && element.getBoundingClientRect().top > window.innerHeight) element.scrollIntoView()
}
