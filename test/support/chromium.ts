import chromiumPackage from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

/** Chromium as it comes from npm; where that has none, the installed Chrome. */
export async function launchBrowser(): Promise<Browser> {
  if (process.platform === 'linux') {
    return chromium.launch({ executablePath: await chromiumPackage.executablePath(), args: chromiumPackage.args })
  }
  return chromium.launch({ channel: 'chrome' }).catch((error) => {
    throw new Error(`Google Chrome must be installed for this: ${error.message.split('\n')[0]}`)
  })
}
