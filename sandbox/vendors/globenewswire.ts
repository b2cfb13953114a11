import type { Release, Vendor } from '../types.ts'
import { releasePage, slug, wireFeed } from './wire.ts'

/** Subject codes, with the signals of releases filed under them. */
const SUBJECTS: Readonly<Record<string, string>> = {
  '7': 'customer_win',
  '17': 'funding',
  '21': 'ipo',
  '27': 'acquisition',
  '29': 'partnership',
  '32': 'product_launch',
  '37': 'layoffs',
  '86': 'leadership_change',
}

/**
 * Feeds by subject, and releases. The fields of a release are declared on the channel, under a vendor-specific
 * namespace.
 */
export const globenewswire: Vendor = {
  name: 'globenewswire',
  hosts: ['www.globenewswire.com'],
  answer(request, { releases = [] }) {
    const { pathname } = request.url
    if (pathname === '/robots.txt') {
      return {
        status: 200,
        headers: { 'content-type': 'text/plain' },
        body: 'User-agent: *\nDisallow: /SubscribeToRss/\n',
      }
    }
    const code = /^\/RssFeed\/subjectcode\/(\d+)/.exec(pathname)?.[1]
    if (code) {
      return wireFeed(request, {
        releases: releases.filter(({ signals }) => signals.includes(SUBJECTS[code] ?? '')),
        title: 'GlobeNewswire',
        link: linkOf,
        declared: { channel: ' xmlns:dc="http://dublincore.org/documents/dcmi-namespace/"' },
      })
    }
    const found = releases.find((release) => linkOf(release).endsWith(pathname))
    return found ? releasePage(found) : { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>404</h1>' }
  },
}

function linkOf(release: Release): string {
  const { id, published, language = 'en' } = release
  const day = published.replaceAll('-', '/')
  return `https://www.globenewswire.com/news-release/${day}/${id}/0/${language}/${slug(release)}.html`
}
