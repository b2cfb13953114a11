import type { JobBoardVendor, SandboxCompany, SandboxPosting, SandboxResponse, World } from '../types.ts'

export type Board = NonNullable<SandboxCompany['job_board']> & { company: SandboxCompany }

/** The board with a token at a vendor. */
export function findBoard({ companies }: World, vendor: JobBoardVendor, token: string | undefined): Board | null {
  for (const company of companies) {
    const board = company.job_board
    if (board?.vendor === vendor && board.token === token) return { ...board, company }
  }
  return null
}

/** The board whose token is the name or the host of a request, at a vendor where every company has a host. */
export function findHostedBoard(world: World, vendor: JobBoardVendor, hostname: string): Board | null {
  return findBoard(world, vendor, hostname) ?? findBoard(world, vendor, hostname.split('.', 1)[0])
}

export function xml(text: string, type = 'application/xml'): SandboxResponse {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n${text}`
  return { status: 200, headers: { 'content-type': `${type}; charset=utf-8` }, body }
}

export function listedPostings({ postings }: Board): SandboxPosting[] {
  return postings.filter(({ unlisted }) => !unlisted)
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): SandboxResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(body),
  }
}

export function html(text: string): string {
  return text
    .split('\n')
    .map((line) => `<p>${escapeHtml(line)}</p>`)
    .join('')
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

const NAMES = new Intl.DisplayNames(['en'], { type: 'region' })

export function countryOf({ country_code }: SandboxPosting): string {
  return NAMES.of(country_code) ?? country_code
}
