import { createWireStream } from './wire-stream.ts'

/** Signals by PR Newswire's paths. */
const ABOUT: Readonly<Record<string, readonly string[]>> = {
  'financial-services-latest-news/acquisitions-mergers-and-takeovers': ['acquisition'],
  'financial-services-latest-news/venture-capital': ['funding'],
  'financial-services-latest-news/contracts': ['customer_win'],
  'financial-services-latest-news/stock-offering': ['ipo'],
  'general-business-latest-news/personnel-announcements': ['leadership_change'],
  'general-business-latest-news/corporate-expansion': ['expansion'],
}

export const prNewswire = createWireStream({
  name: 'PR Newswire',
  source: 'pr-newswire',
  isNamed: true,
  feeds: Object.fromEntries(
    Object.entries(ABOUT).map(([path, about]) => [
      path,
      { url: `https://www.prnewswire.com/rss/${path}-list.rss`, about },
    ]),
  ),
})
