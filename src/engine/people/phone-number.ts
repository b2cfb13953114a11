import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** Types of numbers that do not belong to one person. */
const SHARED = new Set(['TOLL_FREE', 'PREMIUM_RATE', 'SHARED_COST', 'UAN', 'VOICEMAIL', 'PAGER'])

/**
 * A number in E.164 format, `+4940123456`. A number without a country code is read as one of `country`. Null for an invalid
 * number, for one that does not belong to one person, and for one without country code when `country` is null.
 */
export function toE164(text: string, country: string | null): string | null {
  const home = country && isSupportedCountry(country) ? (country as CountryCode) : undefined
  const number = parsePhoneNumberFromString(text.replace(/^00(?=[1-9])/, '+'), home)
  // A number with an extension is a switchboard's; without the extension it is the company's.
  if (!number?.isValid() || number.ext || SHARED.has(number.getType() ?? '')) return null
  return number.number
}

/** The digits of a number in the forms in which it is written: international, national, and national with a leading zero. */
export function phoneDigitForms(phone: string): string[] {
  const number = parsePhoneNumberFromString(phone)
  const digits = phone.replaceAll(/\D/g, '')
  if (!number) return [digits]
  const { countryCallingCode, nationalNumber } = number
  return [`${countryCallingCode}${nationalNumber}`, nationalNumber, `0${nationalNumber}`]
}
