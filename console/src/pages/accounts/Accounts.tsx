import { Button, Text } from '@mantine/core'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Building2, Download, Plus, SearchX, Upload } from 'lucide-react'
import { useEffect } from 'react'
import { useRights } from '../../api/me.ts'
import { PageLink } from '../../components/links.tsx'
import { Page } from '../../components/Page.tsx'
import { Paginator } from '../../components/Paginator.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { pluralize } from '../../lib/format.ts'
import { AccountFilters } from './AccountFilters.tsx'
import { AccountsTable } from './AccountsTable.tsx'
import { AddAccount } from './AddAccount.tsx'
import classes from './accounts.module.css'
import { accountsQuery } from './accounts-query.ts'
import { BulkBar } from './BulkBar.tsx'
import { ColumnsMenu, useColumns } from './ColumnsMenu.tsx'
import { type AccountsSearch, accountFilters } from './search.ts'
import { SelectionBanner, useAccountSelection } from './selection.tsx'

const route = getRouteApi('/app/accounts')

/** All accounts with filters, sorting, search, selection across pages and bulk actions. */
export function Accounts() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const { write } = useRights()
  const filters = accountFilters(search)
  const { page = 1 } = search
  const list = useQuery({ ...accountsQuery(filters, page), placeholderData: keepPreviousData })
  const accounts = list.data?.data ?? []
  const pagination = list.data?.pagination
  const columns = useColumns()
  const selection = useAccountSelection(filters)

  const hasMore = pagination?.has_more ?? false
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next page is prefetched after this one has loaded
  useEffect(() => {
    if (hasMore && !list.isPlaceholderData) client.prefetchQuery(accountsQuery(filters, page + 1))
  }, [hasMore, list.isPlaceholderData, page, JSON.stringify(filters)])

  const change = (changes: Partial<AccountsSearch>) =>
    navigate({
      search: (before) => ({ ...before, page: undefined, ...changes }),
      replace: 'search' in changes,
    })
  const isFiltered = Object.entries(filters).some(
    ([name, value]) => value !== undefined && !/^(sort|order)$/.test(name),
  )
  const exported = new URLSearchParams(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )

  return (
    <Page
      title="Accounts"
      wide
      fills
      lead={
        pagination ? `${pluralize(pagination.total, 'account')}${isFiltered ? ' found' : ''}` : 'Companies you track'
      }
      actions={
        <>
          <Button
            component="a"
            href={`/v1/accounts/export?${exported}`}
            download="accounts.csv"
            variant="default"
            px={{ base: 'xs', sm: 'md' }}
            leftSection={<Download size={16} aria-hidden />}
            title={pagination ? `Export ${pluralize(pagination.total, 'account')} as CSV` : 'Export as CSV'}
          >
            Export
          </Button>
          {write && (
            <>
              <Button
                component={Link}
                to="/accounts/import"
                variant="default"
                px={{ base: 'xs', sm: 'md' }}
                leftSection={<Upload size={16} aria-hidden />}
              >
                Import
              </Button>
              <Button
                px={{ base: 'xs', sm: 'md' }}
                leftSection={<Plus size={16} aria-hidden />}
                onClick={() => change({ add: true, page: search.page })}
              >
                Add account
              </Button>
            </>
          )}
        </>
      }
    >
      <AccountFilters search={search} change={change} accounts={accounts}>
        <ColumnsMenu {...columns} />
      </AccountFilters>
      {list.isPending ? (
        <Loading lines={12} />
      ) : list.isError ? (
        <ErrorMessage error={list.error} retry={list.refetch} />
      ) : accounts.length === 0 && page > 1 ? (
        <EmptyState
          icon={SearchX}
          title="Page not found"
          action={<Button onClick={() => change({})}>Go to first page</Button>}
        />
      ) : accounts.length === 0 && isFiltered ? (
        <EmptyState
          icon={SearchX}
          title="No accounts found"
          action={
            <Button variant="default" onClick={() => navigate({ search: {} })}>
              Clear filters
            </Button>
          }
        >
          Try different filters or search terms.
        </EmptyState>
      ) : accounts.length === 0 ? (
        <EmptyState
          icon={Building2}
          title="No accounts yet"
          action={
            write && (
              <Button component={Link} to="/accounts/import" mt="xs">
                Import accounts
              </Button>
            )
          }
        >
          Add a company by domain, import a CSV file, or use{' '}
          <PageLink to="/discover" underline="always" inherit>
            Discover
          </PageLink>{' '}
          to find companies with your signals.
        </EmptyState>
      ) : (
        <div className={classes.work}>
          <SelectionBanner selection={selection} accounts={accounts} total={pagination?.total ?? 0} />
          <AccountsTable
            accounts={accounts}
            columns={columns.shown}
            search={search}
            change={change}
            selection={write ? selection : null}
            isStale={list.isPlaceholderData}
          />
          {pagination && <Paginator pagination={pagination} onChange={(page) => change({ page })} items="accounts" />}
          <BulkBar selection={selection} accounts={accounts} />
        </div>
      )}
      {search.add && write && (
        <AddAccount
          known={search.name}
          onClose={() => change({ add: undefined, name: undefined, page: search.page })}
        />
      )}
      <Text role="status" aria-live="polite" style={{ position: 'absolute', left: -9999 }}>
        {list.isFetching ? '' : pagination ? `${pluralize(pagination.total, 'account')}, page ${page}` : ''}
      </Text>
    </Page>
  )
}
