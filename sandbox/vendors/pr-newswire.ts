import type { Release, Vendor } from '../types.ts'
import { releasePage, slug, wireFeed } from './wire.ts'

/** Subjects by the last part of their paths. */
const SUBJECTS: Readonly<Record<string, string>> = {
  'acquisitions-mergers-and-takeovers': 'acquisition',
  'venture-capital': 'funding',
  contracts: 'customer_win',
  'stock-offering': 'ipo',
  'personnel-announcements': 'leadership_change',
  'corporate-expansion': 'expansion',
}

/** An unknown path returns all news, in a channel without a title. */
export const prNewswire: Vendor = {
  name: 'pr-newswire',
  hosts: ['www.prnewswire.com'],
  answer(request, { releases = [] }) {
    const { pathname } = request.url
    if (pathname === '/robots.txt') return { status: 404 }
    const subject = /^\/rss\/[\w-]+\/([\w-]+)-list\.rss$/.exec(pathname)?.[1]
    if (pathname.startsWith('/rss/')) {
      const signal = SUBJECTS[subject ?? '']
      return wireFeed(request, {
        releases: signal ? releases.filter(({ signals }) => signals.includes(signal)) : releases,
        title: signal && subject ? subject.replaceAll('-', ' ') : '',
        link: linkOf,
        declared: { rss: ' xmlns:dc="http://purl.org/dc/elements/1.1/"' },
      })
    }
    const found = releases.find((release) => linkOf(release).endsWith(pathname))
    return found ? releasePage(found) : { status: 404 }
  },
}

const linkOf = (release: Release) => `https://www.prnewswire.com/news-releases/${slug(release)}-${release.id}.html`
