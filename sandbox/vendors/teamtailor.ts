import type { Vendor } from '../types.ts'
import { countryOf, escapeHtml, findHostedBoard, html, listedPostings, xml } from './boards.ts'

/** The RSS feed of a careers site, in pages of `per_page`. */
export const teamtailor: Vendor = {
  name: 'teamtailor',
  hosts: ['*.teamtailor.com'],
  answer({ url }, world) {
    const board = findHostedBoard(world, 'teamtailor', url.hostname)
    if (!board || url.pathname !== '/jobs.rss') return { status: 404, headers: { 'content-type': 'text/html' } }
    const offset = Number(url.searchParams.get('offset') ?? 0)
    const perPage = Number(url.searchParams.get('per_page') ?? 100)
    const items = listedPostings(board)
      .slice(offset, offset + perPage)
      .map(
        (posting) => `<item>
  <title>${escapeHtml(posting.title)}</title>
  <description>${escapeHtml(html(posting.text))}</description>
  <pubDate>${new Date(`${posting.published}T09:00:00Z`).toUTCString().replace('GMT', '+0000')}</pubDate>
  <link>https://${url.hostname}/jobs/${escapeHtml(posting.id)}</link>
  <remoteStatus>none</remoteStatus>
  <guid>${escapeHtml(posting.id)}</guid>
  <tt:locations>
    <tt:location>
      <tt:name>${escapeHtml(posting.city)}</tt:name>
      <tt:address/><tt:zip/>
      <tt:city>${escapeHtml(posting.city)}</tt:city>
      <tt:country>${escapeHtml(countryOf(posting))}</tt:country>
    </tt:location>
  </tt:locations>
  <tt:department>${escapeHtml(posting.department)}</tt:department>
  <tt:role>${escapeHtml(posting.department)}</tt:role>
</item>`,
      )
    return xml(
      `<rss version="2.0" xmlns:tt="https://teamtailor.com/locations">
<channel>
<title>${escapeHtml(board.company.name)}</title><link>https://${url.hostname}/</link>
${items.join('\n')}
</channel>
</rss>`,
      'application/rss+xml',
    )
  },
}
