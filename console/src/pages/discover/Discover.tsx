import { Button, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { Upload } from 'lucide-react'
import { queries } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { Page } from '../../components/Page.tsx'
import { formatNumber } from '../../lib/format.ts'
import { DiscoverForm } from './DiscoverForm.tsx'
import { DiscoveryRun } from './DiscoveryRun.tsx'
import classes from './discover.module.css'
import { ImportCompanies } from './ImportCompanies.tsx'
import { RecentRuns } from './RecentRuns.tsx'
import type { DiscoverSearch } from './search.ts'

const route = getRouteApi('/app/discover')

/** Finds companies that show signals: what is looked for at the left, what came of it at the right. */
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
          ? 'Find companies that show your signals'
          : total > 0
            ? `Looks through ${formatNumber(total)} companies of your universe, the news and filings`
            : 'Looks through the news and filings; import your own universe of companies to look through those'
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

/** On a narrow screen a run stands below the form: whoever starts one is taken to it. */
function bringIntoView(element: HTMLElement | null) {
  if (element && element.getBoundingClientRect().top > window.innerHeight) element.scrollIntoView()
}
