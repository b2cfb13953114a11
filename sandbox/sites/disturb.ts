import { randomBytes, randomInt } from 'node:crypto'

const ADS = [
  'Tired of limescale?',
  'Sofas, sofas, sofas',
  'Learn to sail in nine days',
  'Windows cleaned while you sleep',
]

/** Changes on every request of a site without new content. */
export function withNoise(html: string, visits: number): string {
  const nonce = randomBytes(9).toString('base64')
  return html
    .replace(
      '</head>',
      `<meta name="csrf-token" content="${randomBytes(16).toString('hex')}">\n<script nonce="${nonce}">window.t0=${Date.now()}</script>\n</head>`,
    )
    .replace(
      '</body>',
      `<div class="ad-slot" id="ad-${randomInt(1e6)}"><a href="/ads/click?id=${randomInt(1e9)}">${ADS[randomInt(ADS.length)]}</a></div>
<div class="x9d">Visitor no. ${(184_201 + visits).toLocaleString('en')} · Page generated in ${(randomInt(5, 90) / 1000).toFixed(3)} s at ${new Date().toISOString()}</div>
<script src="/assets/bundle.js?v=${Date.now()}" nonce="${nonce}"></script>
</body>`,
    )
}

/** Unclosed tags, missing brackets, missing quotes; browsers render the page regardless. */
export function brokenHtml(html: string): string {
  return html
    .replace(/<\/(p|li|td|tr|h2)>/g, '')
    .replace(/ class="([a-z0-9]+)"/g, ' class=$1')
    .replace('</head>', '')
    .replace('<body>', '<body<body>')
    .replace(/<\/div>\s*<\/div>\s*<\/div>/g, '</div></span></div>')
    .replace('</html>', '<p>5 < 6 & 7 > 3 <b><i>tasty</b></i> <img src="/a.jpg alt=>')
}

/** Bytes that are no text, and the same every time. */
export function garbage(): Uint8Array {
  const bytes = new Uint8Array(4096)
  let state = 1
  for (let i = 0; i < bytes.length; i++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    bytes[i] = state >> 16
  }
  return bytes
}
