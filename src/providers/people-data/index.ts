import type { PeopleSource } from '../types.ts'
import { companyPages } from './company-pages.ts'
import { filedOfficers } from './filings.ts'
import { peopleDataLabs } from './people-data-labs.ts'

/** Best first: where two sources know somebody, the first one's words stand. */
export const PEOPLE_SOURCES: PeopleSource[] = [companyPages, peopleDataLabs, filedOfficers]
