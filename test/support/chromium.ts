import chromiumPackage from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

/**
 * Chromium as it comes from npm; where that has none, the installed Chrome. The flags its package asks for are left out: among
 * them are some that switch off what keeps pages apart, which is what our tests are about.
 */
export async function launchBrowser(): Promise<Browser> {
  if (process.platform === 'linux') {
    const args = ['--no-sandbox', '--font-render-hinting=none']
    return chromium.launch({ executablePath: await chromiumPackage.executablePath(), args })
  }
  return chromium.launch({ channel: 'chrome' }).catch((error) => {
    throw new Error(`Google Chrome must be installed for this: ${error.message.split('\n')[0]}`)
  })
}
