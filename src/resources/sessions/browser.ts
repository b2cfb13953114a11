/** In this order: most browsers also call themselves what they are not. */
const BROWSERS: [name: string, told: RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/.* Safari\//],
]
const SYSTEMS: [name: string, told: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows NT\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]
const MAX_LENGTH = 60

/** What a User-Agent stands for, in words by which a person knows their browsers apart. */
export function describeBrowser(userAgent = ''): string {
  // A browser's own name is long; more than this is somebody else's.
  const text = userAgent.slice(0, 400)
  const nameIn = (known: typeof BROWSERS) => known.find(([, told]) => told.test(text))?.[0]
  const browser = nameIn(BROWSERS)
  const system = nameIn(SYSTEMS)
  if (browser) return system ? `${browser} on ${system}` : browser
  const plain = text
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, MAX_LENGTH)
  return plain || 'Unknown browser'
}
