import type { PeopleSource, RoleSource } from '../types.ts'
import { companyPages } from './company-pages.ts'
import { peopleDataLabs, peopleDataLabsByRole } from './people-data-labs.ts'
import { secAppointments, secOfficers } from './sec-officers.ts'
import { siteSearch } from './site-search.ts'

/** Best first: where two sources know somebody, the first one's words stand. */
export const PEOPLE_SOURCES: PeopleSource[] = [companyPages, peopleDataLabs, secOfficers]

/** Where somebody with a role is looked for beyond the roster, best first. */
export const ROLE_SOURCES: RoleSource[] = [siteSearch, peopleDataLabsByRole, secAppointments]
