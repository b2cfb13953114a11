import { createWireStream } from './wire-stream.ts'

/** Signals by GlobeNewswire's subject codes; the code alone selects the feed. */
const ABOUT: Readonly<Record<string, readonly string[]>> = {
  '7': ['customer_win'],
  '11': ['leadership_change'],
  '17': ['funding'],
  '21': ['ipo'],
  '23': ['partnership'],
  '25': ['partnership'],
  '27': ['acquisition'],
  '29': ['partnership'],
  '32': ['product_launch'],
  '37': ['layoffs'],
  '86': ['leadership_change'],
}

export const globenewswire = createWireStream({
  name: 'GlobeNewswire',
  source: 'globenewswire',
  feeds: Object.fromEntries(
    Object.entries(ABOUT).map(([code, about]) => [
      code,
      { url: `https://www.globenewswire.com/RssFeed/subjectcode/${code}`, about },
    ]),
  ),
})
