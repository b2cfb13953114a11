import type { Award, SandboxResponse, World } from '../types.ts'
import { escapeHtml, html } from './boards.ts'

const PAGES: Record<Award['by'], string> = {
  usaspending: 'https://www.usaspending.gov/award/',
  ted: 'https://ted.europa.eu/en/notice/-/detail/',
  'nih-reporter': 'https://reporter.nih.gov/project-details/',
}

/** The public URL of an award. */
export function awardUrl({ by, id }: Pick<Award, 'by' | 'id'>): string {
  return PAGES[by] + encodeURIComponent(id)
}

/** The awards of a register, newest first. */
export function awardsBy({ awards = [] }: World, by: Award['by']): Award[] {
  return awards.filter((award) => award.by === by).sort((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0))
}

/** The public page of an award. */
export function awardPage(url: URL, world: World): SandboxResponse {
  const award = (world.awards ?? []).find((one) => awardUrl(one) === url.href)
  if (!award) return { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not Found</h1>' }
  const lines = [award.agency, award.description, ...[award.recipient, ...(award.others ?? [])]]
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<html><head><title>${escapeHtml(award.recipient)}</title></head><body>${html(lines.join('\n'))}</body></html>`,
  }
}

/** The body of a request; null when it is not a JSON object. */
export function parseBody(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
