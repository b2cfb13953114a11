export type PastedCompany = { name: string; domain: string | null }

/** The API takes this many accounts at once. */
export const MAX_COMPANIES = 500

const DOMAIN = /^(?:https?:\/\/)?(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,63}(?:[/?#:]\S*)?$/iu

/**
 * The companies of a pasted text, one per line: a domain, a URL, a name, or both separated by a comma, a semicolon or a tab. A
 * company without a name is named after its domain until its site is read. Each domain or name counts once.
 */
export function parseCompanies(text: string): PastedCompany[] {
  const found = new Map<string, PastedCompany>()
  for (const line of text.split(/\r?\n/)) {
    const parts = line.split(/[\t,;]/).flatMap((part) => part.trim() || [])
    const address = parts.find((part) => DOMAIN.test(part))
    const domain = address === undefined ? null : hostOf(address)
    const name = parts.find((part) => part !== address) ?? domain
    if (name) found.set((domain ?? name).toLowerCase(), { name: name.slice(0, 300), domain })
  }
  return [...found.values()]
}

function hostOf(address: string): string {
  const host = address.replace(/^https?:\/\//i, '').replace(/[/?#:].*$/, '')
  return host.toLowerCase().replace(/^www\./, '')
}
