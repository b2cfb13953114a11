import type { Department, JobLevel } from '../titles/index.ts'
import type { CompanyTraits } from './company.ts'

export type Tier = {
  tier: number
  label: 'ideal' | 'adjacent' | 'fallback'
  titles: string[]
  job_levels: JobLevel[]
  rules: Rule[]
}
/** Who belongs to a tier besides those with one of its titles. */
export type Rule = {
  job_levels: JobLevel[]
  /** null: any department. */
  department: Department | null
  /** When not empty, a title must hold one of these words: the request was narrower than its department. */
  keywords: string[]
}
export type Cascade = {
  tiers: Tier[]
  geographies: string[]
  country_codes: string[]
  exclude: { keywords: string[]; job_levels: JobLevel[]; country_codes: string[] }
  company: CompanyTraits
}
