import assert from 'node:assert/strict'
import { after } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
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

/** A page of the console, signed in with a key. Whatever it logs as an error, and each call to another host, is remembered. */
export async function visit(
  browser: Browser,
  service: Pick<TestService, 'address'>,
  path: string,
  options: Options,
): Promise<Visit> {
  const { width = 1440, height = 900, dark = false, key } = options
  const context = await browser.newContext({
    baseURL: service.address,
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  })
  after(() => context.close())
  if (key) await context.request.post('/v1/sessions', { data: { key }, headers: { origin: service.address } })
  const page = await context.newPage()
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

/** Throws when axe finds a serious violation of WCAG 2.2 AA on the page as it is. */
export async function assertAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  const serious = violations
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
