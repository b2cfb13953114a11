import type { Vendor } from '../types.ts'
import { escapeHtml, findHostedBoard, html, listedPostings, xml } from './boards.ts'

/** https://developer.personio.de/docs/retrieving-open-job-positions. An unknown company is redirected to the vendor's site. */
export const personio: Vendor = {
  name: 'personio',
  hosts: ['*.jobs.personio.de', '*.jobs.personio.com', 'www.personio.com'],
  answer({ url }, world) {
    if (url.hostname === 'www.personio.com') {
      return { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><h1>Personio</h1>' }
    }
    const board = findHostedBoard(world, 'personio', url.hostname)
    if (url.pathname === '/robots.txt') return { status: 404 }
    if (!board || url.pathname !== '/xml') return { status: 307, headers: { location: 'https://www.personio.com/' } }
    const positions = listedPostings(board).map(
      ({ id, title, department, city, published, text }) => `<position>
  <id>${escapeHtml(id)}</id>
  <subcompany>${escapeHtml(board.company.name)}</subcompany>
  <office>${escapeHtml(city)}</office>
  <additionalOffices><office>${escapeHtml(board.company.city)}</office></additionalOffices>
  <department>${escapeHtml(department)}</department>
  <recruitingCategory>Experienced</recruitingCategory>
  <name>${escapeHtml(title)}</name>
  <jobDescriptions>
    <jobDescription><name>Your role</name><value><![CDATA[${html(text)}]]></value></jobDescription>
  </jobDescriptions>
  <employmentType>permanent</employmentType>
  <seniority>experienced</seniority>
  <schedule>full-time</schedule>
  <yearsOfExperience>2-5</yearsOfExperience>
  <keywords>work</keywords>
  <occupation>other</occupation>
  <occupationCategory>other</occupationCategory>
  <createdAt>${published}T09:00:00+00:00</createdAt>
</position>`,
    )
    return xml(`<workzag-jobs>\n${positions.join('\n')}\n</workzag-jobs>`)
  },
}
