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
/** Who belongs to a tier besides those with one of its titles. */
export type TierRule = {
  job_levels: JobLevel[]
  /** null: any department. Not looked at where `fields` says it more exactly. */
  department: Department | null
  /** When not empty, a title must hold one of these words: the request was narrower than its department. */
  keywords: string[]
  /** Fields of the vocabulary, one of which the person works in: in it or in a part of it. */
  fields?: string[]
  /** Only people of the whole field, not of a part of it: the head of finance, not the head of tax. */
  whole?: boolean
  /** It is enough that the title or headline mentions the field beside another one. */
  loosely?: boolean
  /** What title or headline must mention besides: "recruiters hiring engineers". */
  about?: Topic
  /** The title mentions no other field, so it contradicts nothing that was asked. */
  plain?: boolean
}
export type Topic = { fields: string[]; words: string[] }
/** A country, region, state or city: all of `spots`. Without any, a town that is known by name alone. */
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
  /** One of them a person must be at, as far as their place is known. */
  places?: RequestedPlace[]
  /** Names, each as its words, one of which a person must bear. */
  names?: string[][]
  /** Degrees and certificates, all of which name or headline must show. */
  credentials?: string[]
  /** Among people of one tier, those who have to do with it come first. */
  prefer?: Topic
}
