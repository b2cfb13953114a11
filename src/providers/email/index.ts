import type { EmailVerifier } from '../types.ts'
import { smtp } from './smtp.ts'
import { zerobounce } from './zerobounce.ts'

/** In this order, because the vendor charges for each check. */
export const EMAIL_VERIFIERS: EmailVerifier[] = [smtp, zerobounce]
