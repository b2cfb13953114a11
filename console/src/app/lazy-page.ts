import { type ComponentType, createElement } from 'react'

/**
 * A page whose code is loaded when it is opened. A failed load is an error of its route, and opening the page again loads it
 * again. lazyRouteComponent reloads the console instead, which shows nothing while the server is down.
 */
export function lazyPage(load: () => Promise<ComponentType>) {
  let page: ComponentType | null = null
  return Object.assign(() => page && createElement(page), {
    /** The router awaits it before it renders the page. */
    preload: async () => {
      page ??= await load()
    },
  })
}
