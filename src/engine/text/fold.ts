const NOT_ASCII = /[^ -~\s]/
const COMBINING_MARKS = /\p{M}+/gu

/** Lower case without accents: "Geschäftsführer" and "GESCHAFTSFUHRER" compare equal. */
export function foldText(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(COMBINING_MARKS, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
}

const UNDIVIDED: Record<string, string> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ς: 'σ',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
}

/**
 * Letters without case and accents, exactly like the SQL function search_fold that fills the search columns; a test compares
 * the two over all letters. Folding in the process gives the query planner the pattern as a constant.
 */
export function searchFold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[łøđħıŧςßæœ]/g, (letter) => UNDIVIDED[letter] as string)
}

/** A LIKE pattern that matches the text literally, at any position. */
export function likePattern(text: string): string {
  return `%${searchFold(text).replaceAll(/[\\%_]/g, '\\$&')}%`
}
