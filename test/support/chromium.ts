import chromiumPackage from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

// The package has the program of one architecture, whatever the machine.
const isPackaged = process.platform === 'linux' && process.arch === 'x64'

/** Unpacks the browser, which two processes must not do at once: one would start what the other still writes. */
export async function unpackBrowser(): Promise<void> {
  if (isPackaged) await chromiumPackage.executablePath()
}

/**
 * Chromium as it comes from npm; where that has none, the one that is installed. The flags its package asks for are left out: among
 * them are some that switch off what keeps pages apart, which is what our tests are about.
 */
export async function launchBrowser(): Promise<Browser> {
  if (process.platform !== 'linux') return chromium.launch({ channel: 'chrome' }).catch(missing('Google Chrome'))
  const args = ['--no-sandbox', '--font-render-hinting=none']
  if (isPackaged) return chromium.launch({ executablePath: await chromiumPackage.executablePath(), args })
  return chromium
    .launch({ executablePath: '/usr/bin/chromium', args })
    .catch(missing('Chromium (apt install chromium)'))
}

const missing = (program: string) => (error: Error) => {
  throw new Error(`${program} must be installed for this: ${error.message.split('\n')[0]}`)
}
