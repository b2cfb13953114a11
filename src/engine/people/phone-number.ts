import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** Numbers that many share or that cost the caller: nobody's own. */
const SHARED = new Set(['TOLL_FREE', 'PREMIUM_RATE', 'SHARED_COST', 'UAN', 'VOICEMAIL', 'PAGER'])

/**
 * A number as the world dials it, `+4940123456`. A number without its country's code is read as one of `country`, and
 * as none when that is not known. Null for what is no number, or nobody's own.
 */
export function toE164(text: string, country: string | null): string | null {
  const home = country && isSupportedCountry(country) ? (country as CountryCode) : undefined
  const number = parsePhoneNumberFromString(text.replace(/^00(?=[1-9])/, '+'), home)
  // An extension leads through a switchboard; the number without it is the company's.
  if (!number?.isValid() || number.ext || SHARED.has(number.getType() ?? '')) return null
  return number.number
}

/** The digits of a number in the ways it is written: as the world dials it, and within its country. */
export function phoneDigitForms(phone: string): string[] {
  const number = parsePhoneNumberFromString(phone)
  const digits = phone.replaceAll(/\D/g, '')
  if (!number) return [digits]
  const { countryCallingCode, nationalNumber } = number
  return [`${countryCallingCode}${nationalNumber}`, nationalNumber, `0${nationalNumber}`]
}
