import { cutText } from '../text/storable.ts'

/** "(m/w/d)", "H/F", "(all genders)": whom a job title is addressed to. */
const MARKER =
  /(?:[-–] ?)?(?:[([] ?(?:[mwfdxhvgiun]{1,2}(?:\s?[/|,*:]\s?(?:[mwfdxhvia]|div\.?|alle)){1,3}|all genders?|alle geschlechter|gn|d|tous genres) ?[)\]]|(?<![\p{L}/])(?:m\/w|w\/m|f\/m|m\/f|h\/f|f\/h|h\/m|m\/h|m\/v|v\/m|d\/m)(?:\/[wmdxi])?(?![\p{L}/]))/giu
/** The ending for another gender: Mitarbeiter:in, Einkäufer/-in, Chargé(e), Desarrollador/a, Vendeur·se. */
const ENDING =
  /(?<=\p{Ll}{2})(?:[:*_/·•.]-?|\()(?:in|innen|a|e|ne|se|euse|trice|rice|ère|ière|ice|r|te|ster)\)?(?![\p{L}.])/gu

/** A longer title is cut, and runs of spaces are collapsed, before it is searched. */
const MAX_CHARS = 300
const tidy = (title: string) => cutText(title, MAX_CHARS).replaceAll(/\s+/g, ' ')

export const isAddressedToAll = (title: string): boolean => tidy(title).search(MARKER) >= 0

/** The title without the marker. */
export function removeGenderMarker(title: string): string {
  return tidy(title)
    .replaceAll(MARKER, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/[\s,–-]+$/, '')
    .trim()
}

/** The title in one form, for lookups. */
export function oneGender(title: string): string {
  return removeGenderMarker(title).replaceAll(ENDING, '')
}
