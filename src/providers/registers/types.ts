import type { Config } from '../../config/config.ts'
import type { ProviderDeps, SourceResult } from '../types.ts'

/** A company as a public register lists it. */
export type RegisterRecord = {
  register: 'gleif' | 'companies-house'
  /** The LEI, or the company number. */
  id: string
  legal_name: string
  /** Other names: former legal names, and names that it trades under. */
  other_names: { name: string; kind: 'former' | 'trading' }[]
  /** English name of the country. */
  country: string | null
  street: string | null
  city: string | null
  postal_code: string | null
  /** The number in the national register, where the register states it; for GLEIF `registeredAs`. */
  registration_number: string | null
  is_active: boolean
  /** A page for people. */
  url: string
}

export type RegisterRelation = { kind: 'parent' | 'ultimate_parent' | 'subsidiary'; company: RegisterRecord }

/** `incomplete`: the kinds of which not all companies were read. */
export type RegisterRelations = SourceResult<RegisterRelation> & { incomplete?: readonly RegisterRelation['kind'][] }

export type CompanyRegister = {
  /** The display name, which its health is reported under. */
  name: string
  /** Its name in SOURCES. */
  source: 'gleif' | 'companies-house'
  isOn: (config: Config) => boolean
  /** The records whose name (or other name) has the same company key. */
  search: (deps: ProviderDeps, name: string) => Promise<SourceResult<RegisterRecord>>
  fetchRecord: (deps: ProviderDeps, id: string) => Promise<SourceResult<RegisterRecord>>
  relations: (deps: ProviderDeps, id: string) => Promise<RegisterRelations>
}
