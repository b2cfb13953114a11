import type { PeopleSource, RoleSource } from '../types.ts'
import { companyPages } from './company-pages.ts'
import { peopleDataLabs, peopleDataLabsByRole } from './people-data-labs.ts'
import { secAppointments, secOfficers } from './sec-officers.ts'
import { siteSearch } from './site-search.ts'

/** In order of precedence: the values of the first source that lists a person are used. */
export const PEOPLE_SOURCES: PeopleSource[] = [companyPages, peopleDataLabs, secOfficers]

/** Sources that find people by role beyond the roster, in order of precedence. */
export const ROLE_SOURCES: RoleSource[] = [siteSearch, peopleDataLabsByRole, secAppointments]
