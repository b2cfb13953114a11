import type { Config } from '../config.ts'
import { secFilings } from '../providers/filings/sec.ts'
import { secLeads } from '../providers/filings/sec-leads.ts'
import { wikidata } from '../providers/firmographics/wikidata.ts'
import { gdelt, gdeltLeads } from '../providers/news/gdelt.ts'
import { hackerNews, hackerNewsLeads } from '../providers/news/hacker-news.ts'
import type { DocumentSource, FirmographicsSource, LeadSource } from '../providers/types.ts'

type Choice = Pick<Config, 'SOURCES'>

/** Sources of documents about a company beside its own site, as far as they are switched on. */
export function documentSources(config: Choice): DocumentSource[] {
  return switchedOn(config, { sec: secFilings, 'hacker-news': hackerNews, gdelt })
}

export function leadSources(config: Choice): LeadSource[] {
  return switchedOn(config, { sec: secLeads, 'hacker-news': hackerNewsLeads, gdelt: gdeltLeads })
}

export function firmographicsSources(config: Choice): FirmographicsSource[] {
  return switchedOn(config, { wikidata })
}

function switchedOn<T>({ SOURCES }: Choice, sources: Record<string, T>): T[] {
  return Object.entries(sources).flatMap(([name, source]) => (SOURCES.has(name) ? [source] : []))
}
