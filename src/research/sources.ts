import type { Config } from '../config/config.ts'
import { edgarContactEmail } from '../providers/filings/edgar.ts'
import { secFilings } from '../providers/filings/sec.ts'
import { secLeads } from '../providers/filings/sec-leads.ts'
import { wikidata } from '../providers/firmographics/wikidata.ts'
import { hackerNews, hackerNewsLeads } from '../providers/news/hacker-news.ts'
import type { DocumentSource, FirmographicsSource, LeadSource } from '../providers/types.ts'

/** The enabled sources of documents about a company, other than its own site. */
export function documentSources(config: Config): DocumentSource[] {
  return switchedOn(config, { sec: secFilings, 'hacker-news': hackerNews })
}

export function leadSources(config: Config): LeadSource[] {
  return switchedOn(config, { sec: secLeads, 'hacker-news': hackerNewsLeads })
}

export function firmographicsSources(config: Config): FirmographicsSource[] {
  return switchedOn(config, { wikidata })
}

function switchedOn<T>(config: Config, sources: Record<string, T>): T[] {
  // The SEC rejects requests without a contact address: without one the source is off, not failed.
  const isOn = (name: string) => config.SOURCES.has(name) && (name !== 'sec' || edgarContactEmail({ config }) !== null)
  return Object.entries(sources).flatMap(([name, source]) => (isOn(name) ? [source] : []))
}
