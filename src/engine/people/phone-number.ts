import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** Types of numbers that do not belong to one person. */
const SHARED = new Set(['TOLL_FREE', 'PREMIUM_RATE', 'SHARED_COST', 'UAN', 'VOICEMAIL', 'PAGER'])

/** An extension after a number: "ext. 12", "x12", "poste 12", "Durchwahl -12". */
export const EXTENSION =
  /^[\s,;(/-]{0,4}(?:ext(?:ension|n)?|extensión|x|#|poste|int(?:erno)?|toestel|tst|durchwahl|dw|app(?:arat)?|nst|klappe|anexo)[\s.:#]{0,3}-?\s?(\d{1,6})(?!\d)/iu

/**
 * A number in E.164 format, `+4940123456`, with its extension as in tel: links, `+14155550100;ext=12`. A number without a
 * country code is read as one of `country`. Null for an invalid number, for one that does not belong to one person, and for
 * one without country code when `country` is null.
 */
export function toE164(text: string, country: string | null): string | null {
  const home = country && isSupportedCountry(country) ? (country as CountryCode) : undefined
  const number = parsePhoneNumberFromString(text.replace(/^00(?=[1-9])/, '+'), home)
  if (!number?.isValid()) return null
  // An extension belongs to one person, whatever the number of the switchboard is.
  if (number.ext) return `${number.number};ext=${number.ext}`
  return SHARED.has(number.getType() ?? '') ? null : number.number
}

/**
 * The digits of a number in the forms in which it is written: international, national, and national with a leading zero;
 * with the extension, if it has one.
 */
export function phoneDigitForms(phone: string): string[] {
  const number = parsePhoneNumberFromString(phone)
  const digits = phone.replaceAll(/\D/g, '')
  if (!number) return [digits]
  const { countryCallingCode, nationalNumber, ext } = number
  // Without its extension the number is the company's.
  const end = ext ? `;ext=${ext}` : ''
  return [`${countryCallingCode}${nationalNumber}${end}`, `${nationalNumber}${end}`, `0${nationalNumber}${end}`]
}
