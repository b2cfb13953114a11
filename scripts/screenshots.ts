// Takes the screenshots of the README from the demo: `npm run screenshots [-- FOLDER [WIDTH [dark]]]`.
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../test/support/chromium.ts'

const [folder = 'docs/pictures', width = '1440', scheme = 'light'] = process.argv.slice(2)
const PORT = process.env.PORT ?? '3999'
const PATIENCE_MS = 300_000

/** The six main pages: the name of the image, the path, and the text that shows that it is complete. */
const PICTURES: { name: string; path: (account: string) => string; ready: (page: Page) => Promise<unknown> }[] = [
  { name: 'today', path: () => '/', ready: heading('Today') },
  { name: 'accounts', path: () => '/accounts', ready: heading('Accounts') },
  {
    name: 'account',
    path: (id) => `/accounts/${id}`,
    ready: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
  },
  { name: 'suggested', path: () => '/suggested', ready: heading('Suggested') },
  { name: 'people', path: () => '/people', ready: heading('People') },
  { name: 'signals', path: () => '/signals', ready: heading('Signals') },
]

function heading(name: string) {
  return (page: Page) => page.getByRole('heading', { level: 1, name }).waitFor()
}

const demo = spawn(process.execPath, ['sandbox/demo.ts'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: { ...process.env, PORT },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const ended = new Promise<void>((resolve) => demo.once('exit', () => resolve()))
try {
  const { link, account } = await readLinks()
  const browser = await launchBrowser()
  const viewport = { width: Number(width), height: width === '1440' ? 900 : 844 }
  const colorScheme = scheme === 'dark' ? 'dark' : 'light'
  const context = await browser.newContext({ viewport, colorScheme, locale: 'en-GB', timezoneId: 'Europe/Berlin' })
  const page = await context.newPage()
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await heading('Today')(page)
  mkdirSync(folder, { recursive: true })
  for (const { name, path, ready } of PICTURES) {
    await page.goto(new URL(path(account), link).href)
    await ready(page)
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: `${folder}/${name}.png` })
    console.log(`${folder}/${name}.png`)
  }
  await browser.close()
} finally {
  demo.kill('SIGINT')
  await ended
}

/** The sign-in link and an account to show, from the output of the demo after its tour. */
function readLinks(): Promise<{ link: string; account: string }> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The demo took too long.')), PATIENCE_MS)
    let said = ''
    demo.stdout.setEncoding('utf8').on('data', (text: string) => {
      process.stdout.write(text)
      said += text
      const link = /http\S+\/sign-in#token=\S+/.exec(said)?.[0]
      const account = /\/accounts\/([0-9a-f-]{36})/.exec(said)?.[1]
      if (!link || !account || !said.includes('Ctrl-C stops everything')) return
      clearTimeout(timer)
      resolve({ link, account })
    })
    demo.once('exit', () => reject(new Error('The demo ended before it was ready.')))
  })
}
