import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import type { TestService } from './service.ts'

export type Options = {
  /** Size and colour scheme of the window; a desktop in light mode unless given. */
  width?: number
  height?: number
  dark?: boolean
  /** The key that signs the browser in; null for no sign-in. */
  key: string | null
}

export type Visit = Page & {
  /** Throws when the page logged an error, threw one, or sent a request to another host. */
  assertQuiet: () => void
}

/**
 * Pages that earlier tests have released, for reuse: the console's files are cached and compiled, all other state is cleared.
 * A new page is a new browser process, which takes longer than most tests.
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
    // A page without scripts on the same origin: another origin would be another process.
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

/** A page of the console, signed in with a key. Records logged errors and requests to other hosts. */
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
    // The browser also logs error responses that the page handles.
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

/** Minified, because each page parses it. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The navigation around each page: the same elements on all, with other names and numbers. */
const FRAME = ['.mantine-AppShell-header', '.mantine-AppShell-navbar']
/** Frames that axe has found accessible, by the width of the window, what covers them, and their number of elements. */
const accessibleFrames = new Set<string>()

/** Throws when axe finds a serious violation of WCAG 2.2 AA on the current page, in light or dark mode. */
export async function assertAccessible(page: Page): Promise<void> {
  const frame = await page.evaluate<string>(`[innerWidth, document.querySelector('[role=dialog]') !== null,
    ...${JSON.stringify(FRAME)}.map((part) => document.querySelectorAll(part + ' *').length)].join()`)
  const context = { exclude: accessibleFrames.has(frame) ? FRAME : [] }
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches")
  const [scheme, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  const asIs = await violations(page, context, { type: 'tag', values: STANDARDS })
  await paint(page, other)
  // Only the colours differ.
  const painted = await violations(page, context, { type: 'rule', values: ['color-contrast'] })
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
  accessibleFrames.add(frame)
}

/** Waits until running transitions have ended; infinite animations have no end to wait for. */
export async function finishTransitions(page: Page): Promise<void> {
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity).map(({ finished }) => finished))`)
}

/** The findings of axe. A page gets its script once; there are no frames to merge. */
async function violations(
  page: Page,
  context: { exclude: string[] },
  runOnly: RunOptions['runOnly'],
): Promise<AxeResults['violations']> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE)
  // Intermediate colours do not count.
  await finishTransitions(page)
  // Without copies of the style sheets, which none of these rules reads.
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'], preload: false } satisfies RunOptions)
  return (await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(context)}, ${options})`)).violations
}

async function paint(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
}
