/** Older data is requested again, like stale data of the query client. */
const MAX_AGE_MS = 10_000

/** The response to a GET that the service sent with the page. Each is used once. */
export function takeFirstData(url: string): Response | null {
  const elements = document.querySelectorAll<HTMLElement>('script[data-url]')
  const found = [...elements].find(({ dataset }) => dataset.url === url)
  if (!found) return null
  found.remove()
  if (performance.now() > MAX_AGE_MS) return null
  return new Response(found.textContent, { headers: { 'content-type': 'application/json' } })
}

/** Starts a request of a page before it is rendered. Waits for the response only if it came with the page, not for the network. */
export function loadFirst(start: () => Promise<void>): Promise<void> | undefined {
  const isInPage = document.querySelector('script[data-url]') !== null
  const loaded = start()
  return isInPage ? loaded : undefined
}
