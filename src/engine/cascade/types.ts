import type { GeoPlace } from '../places/index.ts'
import type { Department, JobLevel } from '../titles/index.ts'
import type { CompanyTraits } from './company.ts'

export type Tier = {
  tier: number
  label: 'ideal' | 'adjacent' | 'fallback'
  titles: string[]
  job_levels: JobLevel[]
  rules: TierRule[]
}
/** Which people belong to a tier in addition to those with one of its titles. */
export type TierRule = {
  job_levels: JobLevel[]
  /** null: any department. Ignored where `fields` is more precise. */
  department: Department | null
  /** When not empty, a title must contain one of these words: the request was narrower than its department. */
  keywords: string[]
  /** Fields of the vocabulary; the person works in one of them or in a part of it. */
  fields?: string[]
  /** Only people of the whole field, not of a part of it: the head of finance, not the head of tax. */
  whole?: boolean
  /** A field that the title or headline mentions next to another one is sufficient. */
  loosely?: boolean
  /** A topic that title or headline must also mention: "recruiters hiring engineers". */
  about?: Topic
  /** The title mentions no other field, so that it does not contradict the request. */
  plain?: boolean
}
export type Topic = { fields: string[]; words: string[] }
/** A country, region, state or city: all of `spots`. Empty for a town that is only known by name. */
export type RequestedPlace = { name: string; spots: GeoPlace[] }
export type Cascade = {
  tiers: Tier[]
  geographies: string[]
  country_codes: string[]
  exclude: {
    keywords: string[]
    job_levels: JobLevel[]
    country_codes: string[]
    rules?: TierRule[]
    places?: RequestedPlace[]
  }
  company: CompanyTraits
  /** A person must be at one of them, as far as their location is known. */
  places?: RequestedPlace[]
  /** Names, each as its words, one of which a person must have. */
  names?: string[][]
  /** Degrees and certificates, all of which name or headline must contain. */
  credentials?: string[]
  /** Within a tier, people who match it come first. */
  prefer?: Topic
}
