import { createRouter } from '@tanstack/react-router'
import { Loading } from './components/states.tsx'
import { routes } from './routes.tsx'

export const router = createRouter({
  routeTree: routes,
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
