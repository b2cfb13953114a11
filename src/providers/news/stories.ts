import { getDomain } from 'tldts'
import { companyKey, findCompany } from '../../engine/company-names.ts'
import { compileScanner } from '../../engine/scan.ts'
import type { CompanyRef, FoundDocument, Lead, ProviderDeps } from '../types.ts'
import { readArticle } from './article.ts'
import { subjectOf } from './headline.ts'

/** A story as a news source lists it: its address, its headline, the day it was seen. */
export type Story = { url: string; title: string; published_date: string }

export const MAX_TITLE_CHARS = 300

/** Articles opened in one look; further stories are known by their headline. */
const MAX_OPENED = 10

/** Stories as documents: with the text of the article where it can be read, with the headline alone otherwise. */
export function mentions(deps: ProviderDeps, stories: readonly Story[]): Promise<FoundDocument[]> {
  return Promise.all(
    stories.map(async ({ url, title, published_date }, rank) => {
      const article = rank < MAX_OPENED ? await readArticle(deps, url) : null
      return {
        url,
        kind: 'mention',
        title,
        text: article?.text ?? title,
        // What was linked today may be years old.
        published_date: article?.published_date ?? published_date,
      }
    }),
  )
}

const scanner = compileScanner([])

/** Whether a headline names the company, and not only a namesake with a longer name. */
export function namesCompany(title: string, company: CompanyRef): boolean {
  const tokens = scanner.tokenize(title)
  // Where all words have capitals they tell no names from other words.
  const titleEnd = isCapitalisedThroughout(title) ? title.length : 0
  return findCompany(tokens, title.toLowerCase(), { name: company.name }, titleEnd).mentions.length > 0
}

function isCapitalisedThroughout(title: string): boolean {
  const words = title.match(/\p{L}{4,}/gu) ?? []
  return words.filter((word) => /^\p{Lu}/u.test(word)).length > words.length / 2
}

/** Leads among stories found for a signal: those whose headline says which company does it, each company once. */
export function leadsAmong(stories: readonly Story[], signalId: string): Lead[] {
  const leads = new Map<string, Lead>()
  for (const { url, title, published_date } of stories) {
    const name = subjectOf(title, signalId)
    if (!name || leads.has(companyKey(name))) continue
    leads.set(companyKey(name), {
      company: { name, domain: ownDomain(url, name) },
      signal_id: signalId,
      document: { url, kind: 'mention', title, text: title, published_date },
    })
  }
  return [...leads.values()]
}

/** A story on acme-robotics.com about Acme Robotics is on the company's own site. */
function ownDomain(url: string, name: string): string | null {
  const domain = getDomain(url)
  const label = domain?.split('.')[0]?.replaceAll('-', '')
  return domain && label === companyKey(name).replaceAll(' ', '') ? domain : null
}
