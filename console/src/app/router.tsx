import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'
import { meQuery } from '../api/me.ts'
import { queryClient } from '../api/query-client.ts'
import { Loading } from '../components/states.tsx'
import { text } from '../lib/search-params.ts'
import { readSearch as account } from '../pages/account/search.ts'
import { readSearch as accounts, readImportSearch } from '../pages/accounts/search.ts'
import { readSearch as deliveries } from '../pages/deliveries/search.ts'
import { readSearch as discover } from '../pages/discover/search.ts'
import { readSearch as people } from '../pages/people/search.ts'
import { readSearch as settings } from '../pages/settings/search.ts'
import { readSearch as signals } from '../pages/signals/search.ts'
import { readSearch as suggested } from '../pages/suggested/search.ts'
import { feedQuery } from '../pages/today/feed-query.ts'
import { filtersOf, readSearch as today } from '../pages/today/search.ts'
import { Today } from '../pages/today/Today.tsx'
import { PageFailed, PageNotFound } from '../shell/error-pages.tsx'
import { Shell } from '../shell/Shell.tsx'

const root = createRootRoute({ component: Outlet })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (raw) => ({ to: text(raw, 'to', 2_000) }),
  component: lazyRouteComponent(() => import('../pages/sign-in/SignIn.tsx'), 'SignIn'),
})

/** Everything behind the sign-in. Whoever has no session goes there first and comes back to the same place. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: Shell,
  errorComponent: PageFailed,
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(meQuery)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      throw redirect({ to: '/sign-in', search: { to: location.href === '/' ? undefined : location.href } })
    }
  },
})

/** A page: its path, what its address holds, and the file it is loaded from when it is opened. Today comes with the frame. */
const pages = [
  createRoute({
    getParentRoute: () => app,
    path: '/',
    validateSearch: today,
    loaderDeps: ({ search }) => filtersOf(search),
    // Not awaited: the page shows what is there, and says so when it fails.
    loader: ({ deps }) => void queryClient.prefetchInfiniteQuery(feedQuery(deps)),
    component: Today,
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/accounts',
    validateSearch: accounts,
    component: lazyRouteComponent(() => import('../pages/accounts/Accounts.tsx'), 'Accounts'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/accounts/import',
    validateSearch: readImportSearch,
    component: lazyRouteComponent(() => import('../pages/accounts/ImportAccounts.tsx'), 'ImportAccounts'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/accounts/$id',
    validateSearch: account,
    component: lazyRouteComponent(() => import('../pages/account/Account.tsx'), 'Account'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/suggested',
    validateSearch: suggested,
    component: lazyRouteComponent(() => import('../pages/suggested/Suggested.tsx'), 'Suggested'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/discover',
    validateSearch: discover,
    component: lazyRouteComponent(() => import('../pages/discover/Discover.tsx'), 'Discover'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/people/{-$id}',
    validateSearch: people,
    component: lazyRouteComponent(() => import('../pages/people/People.tsx'), 'People'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/signals/{-$id}',
    validateSearch: signals,
    component: lazyRouteComponent(() => import('../pages/signals/Signals.tsx'), 'Signals'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/knowledge/{-$id}',
    validateSearch: () => ({}),
    component: lazyRouteComponent(() => import('../pages/knowledge/Knowledge.tsx'), 'Knowledge'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/deliveries/{-$tab}',
    validateSearch: deliveries,
    component: lazyRouteComponent(() => import('../pages/deliveries/Deliveries.tsx'), 'Deliveries'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/settings/{-$tab}',
    validateSearch: settings,
    component: lazyRouteComponent(() => import('../pages/settings/Settings.tsx'), 'Settings'),
  }),
  // Everything else, with the menu beside it.
  createRoute({ getParentRoute: () => app, path: '$', component: PageNotFound }),
] as const

export const router = createRouter({
  routeTree: root.addChildren([signIn, app.addChildren(pages)]),
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultPendingMs: 300,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
