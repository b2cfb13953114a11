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
