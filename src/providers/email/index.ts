import type { EmailVerifier } from '../types.ts'
import { smtp } from './smtp.ts'
import { zerobounce } from './zerobounce.ts'

/** In the order they are asked: the vendor charges, so it comes after the mail server itself. */
export const EMAIL_VERIFIERS: EmailVerifier[] = [smtp, zerobounce]
