import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'
import { loadFirst } from '../api/first-data.ts'
import { meQuery } from '../api/me.ts'
import { queryClient } from '../api/query-client.ts'
import { queueQuery } from '../api/work-items.ts'
import { Loading } from '../components/states.tsx'
import { textParam } from '../lib/search-params.ts'
import { readAccountSearch } from '../pages/account/search.ts'
import { accountsQuery } from '../pages/accounts/accounts-query.ts'
import { accountFilters, readAccountsSearch, readImportSearch } from '../pages/accounts/search.ts'
import { readDeliveriesSearch } from '../pages/deliveries/search.ts'
import { readDiscoverSearch } from '../pages/discover/search.ts'
import { feedQuery } from '../pages/findings/feed-query.ts'
import { feedFilters, readFeedSearch } from '../pages/findings/search.ts'
import { readPeopleSearch } from '../pages/people/search.ts'
import { readResultsSearch } from '../pages/results/search.ts'
import { readSettingsSearch } from '../pages/settings/search.ts'
import { readSignalsSearch } from '../pages/signals/search.ts'
import { readStartSearch } from '../pages/start/search.ts'
import { readSuggestedSearch } from '../pages/suggested/search.ts'
import { readTodaySearch } from '../pages/today/search.ts'
import { Today } from '../pages/today/Today.tsx'
import { PageError, PageNotFound } from '../shell/error-pages.tsx'
import { Shell } from '../shell/Shell.tsx'
import { lazyPage } from './lazy-page.ts'

const root = createRootRoute({ component: Outlet })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (raw) => ({ to: textParam(raw, 'to', 2_000) }),
  component: lazyPage(async () => (await import('../pages/sign-in/SignIn.tsx')).SignIn),
})

/** Where sign-in providers return to. */
const signInCallback = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/callback',
  component: lazyPage(async () => (await import('../pages/sign-in/SignIn.tsx')).SignIn),
})

/** All pages that need a session. Without one, the visitor signs in first and returns to the requested page. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: Shell,
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(meQuery)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      throw redirect({ to: '/sign-in', search: { to: location.href === '/' ? undefined : location.href } })
    }
  },
})

/** The pages: path, search parameters and lazily loaded component. Today is part of the initial bundle. */
const pages = [
  createRoute({
    getParentRoute: () => app,
    path: '/',
    validateSearch: readTodaySearch,
    loaderDeps: ({ search: { view = 'queue', state = 'open' } }) => ({ view, state }),
    // The network is not awaited: the page renders its own loading and error states.
    loader: ({ deps }) => loadFirst(() => queryClient.prefetchInfiniteQuery(queueQuery(deps))),
    component: Today,
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/start',
    validateSearch: readStartSearch,
    component: lazyPage(async () => (await import('../pages/start/Start.tsx')).Start),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/findings',
    validateSearch: readFeedSearch,
    loaderDeps: ({ search }) => feedFilters(search),
    loader: ({ deps }) => void queryClient.prefetchInfiniteQuery(feedQuery(deps)),
    component: lazyPage(async () => (await import('../pages/findings/FindingsPage.tsx')).FindingsPage),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/accounts',
    validateSearch: readAccountsSearch,
    loaderDeps: ({ search }) => ({ filters: accountFilters(search), page: search.page ?? 1 }),
    loader: ({ deps: { filters, page } }) => loadFirst(() => queryClient.prefetchQuery(accountsQuery(filters, page))),
    component: lazyPage(async () => (await import('../pages/accounts/Accounts.tsx')).Accounts),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/accounts/import',
    validateSearch: readImportSearch,
    component: lazyPage(async () => (await import('../pages/accounts/ImportAccounts.tsx')).ImportAccounts),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/accounts/$id',
    validateSearch: readAccountSearch,
    component: lazyPage(async () => (await import('../pages/account/Account.tsx')).Account),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/suggested',
    validateSearch: readSuggestedSearch,
    component: lazyPage(async () => (await import('../pages/suggested/Suggested.tsx')).Suggested),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/discover',
    validateSearch: readDiscoverSearch,
    component: lazyPage(async () => (await import('../pages/discover/Discover.tsx')).Discover),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/people/{-$id}',
    validateSearch: readPeopleSearch,
    component: lazyPage(async () => (await import('../pages/people/People.tsx')).People),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/signals/{-$id}',
    validateSearch: readSignalsSearch,
    component: lazyPage(async () => (await import('../pages/signals/Signals.tsx')).Signals),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/knowledge/{-$id}',
    // The signal of the playbook.
    validateSearch: (raw: Record<string, unknown>): { signal?: string | undefined } => ({
      signal: textParam(raw, 'signal', 100),
    }),
    component: lazyPage(async () => (await import('../pages/knowledge/Knowledge.tsx')).Knowledge),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/results',
    validateSearch: readResultsSearch,
    component: lazyPage(async () => (await import('../pages/results/Results.tsx')).Results),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/settings/crm-fields/$provider',
    component: lazyPage(async () => (await import('../pages/crm-fields/CrmFields.tsx')).CrmFields),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/deliveries/{-$tab}',
    validateSearch: readDeliveriesSearch,
    component: lazyPage(async () => (await import('../pages/deliveries/Deliveries.tsx')).Deliveries),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/settings/{-$tab}',
    validateSearch: readSettingsSearch,
    // The former path of the alerts.
    beforeLoad: ({ params }) => {
      if (params.tab === 'notifications') throw redirect({ to: '/settings/{-$tab}', params: { tab: 'alerts' } })
    },
    component: lazyPage(async () => (await import('../pages/settings/Settings.tsx')).Settings),
  }),
  // All other paths show "Not found" inside the app frame.
  createRoute({ getParentRoute: () => app, path: '$', component: PageNotFound }),
] as const

export const router = createRouter({
  routeTree: root.addChildren([signIn, signInCallback, app.addChildren(pages)]),
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  // Per page, so that the frame stays.
  defaultErrorComponent: PageError,
  defaultPendingMs: 300,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
