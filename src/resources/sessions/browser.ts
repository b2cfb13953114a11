/** Checked in this order, because most browsers also name other browsers in their User-Agent. */
const BROWSERS: [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/.* Safari\//],
]
const SYSTEMS: [name: string, pattern: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows NT\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]
const MAX_LENGTH = 60

/** Returns a short description of a User-Agent, by which a member recognizes their browser. */
export function describeBrowser(userAgent = ''): string {
  // Longer than the User-Agent of any browser; limits the input of the patterns.
  const text = userAgent.slice(0, 400)
  const nameIn = (known: typeof BROWSERS) => known.find(([, pattern]) => pattern.test(text))?.[0]
  const browser = nameIn(BROWSERS)
  const system = nameIn(SYSTEMS)
  if (browser) return system ? `${browser} on ${system}` : browser
  const plain = text
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, MAX_LENGTH)
  return plain || 'Unknown browser'
}
