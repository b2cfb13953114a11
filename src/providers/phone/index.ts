import type { PhoneSource } from '../types.ts'
import { peopleDataLabsPhones } from './people-data-labs.ts'

/** Sources asked for the number of one person, beside what the roster already brought. */
export const PHONE_SOURCES: PhoneSource[] = [peopleDataLabsPhones]
