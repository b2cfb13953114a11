import assert from 'node:assert/strict'
import { after } from 'node:test'
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import type { TestService } from './service.ts'

export type Options = {
  /** What the browser's window is like; a desktop by day unless told. */
  width?: number
  height?: number
  dark?: boolean
  /** Whose key signs the browser in; null for nobody. */
  key: string | null
}

export type Visit = Page & {
  /** Throws when the page logged an error, threw one, or asked another host for something. */
  assertQuiet: () => void
}

/**
 * What no test uses any more, for the next one: the console's files are in its cache, compiled, and nothing else is left in it.
 * A new page is a new process of the browser, which takes longer than most of what is done in it.
 */
const idle: Page[] = []

async function takePage(browser: Browser, { address }: Pick<TestService, 'address'>): Promise<Page> {
  const page =
    idle.pop() ??
    (await browser.newPage({
      baseURL: address,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    }))
  after(async () => {
    const context = page.context()
    if (page.isClosed() || context.pages().length > 1) return context.close()
    for (const event of ['pageerror', 'console', 'request'] as const) page.removeAllListeners(event)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    // To what runs nothing, and is of the same origin: another would be another process.
    await page.goto('/healthz')
    await page.mouse.move(0, 0)
    await page.evaluate('sessionStorage.clear()')
    const storage = await context.newCDPSession(page)
    await storage.send('Storage.clearDataForOrigin', { origin: address, storageTypes: 'local_storage' })
    await Promise.all([storage.detach(), context.clearCookies(), context.clearPermissions()])
    idle.push(page)
  })
  return page
}

/** A page of the console, signed in with a key. Whatever it logs as an error, and each call to another host, is remembered. */
export async function visit(
  browser: Browser,
  service: Pick<TestService, 'address'>,
  path: string,
  options: Options,
): Promise<Visit> {
  const { width = 1440, height = 900, dark = false, key } = options
  const page = await takePage(browser, service)
  if (key) await page.context().request.post('/v1/sessions', { data: { key }, headers: { origin: service.address } })
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`threw ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    // A refusal the page handles is logged by the browser all the same.
    const isAnswer = message.text().startsWith('Failed to load resource: the server responded with a status of 4')
    if (message.type() === 'error' && !isAnswer) problems.push(`logged ${message.text()}`)
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(service.address) && !/^(data|blob):/.test(url)) problems.push(`asked for ${url}`)
  })
  await page.goto(path)
  return Object.assign(page, { assertQuiet: () => assert.deepEqual(problems, []) })
}

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Throws when axe finds a serious violation of WCAG 2.2 AA on the page as it is, by day or in the dark. */
export async function assertAccessible(page: Page): Promise<void> {
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches")
  const [scheme, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  const asIs = await violations(page, { type: 'tag', values: STANDARDS })
  await paint(page, other)
  // Nothing but the colours is another.
  const painted = await violations(page, { type: 'rule', values: ['color-contrast'] })
  await paint(page, scheme)
  const serious = [...asIs, ...painted]
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes
          .map(({ html }) => html)
          .slice(0, 3)
          .join(' | ')}`,
    )
  assert.deepEqual(serious, [])
}

/** What axe says. A page gets its script once; there are no frames whose findings would have to be put together. */
async function violations(page: Page, runOnly: RunOptions['runOnly']): Promise<AxeResults['violations']> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source)
  // Colours on their way from one to the other are none that anybody reads. What turns for ever has no end to wait for.
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity).map(({ finished }) => finished))`)
  // Without its own copies of the style sheets: none of these rules reads them.
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'], preload: false } satisfies RunOptions)
  return (await page.evaluate<AxeResults>(`axe.run(${options})`)).violations
}

async function paint(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
}
