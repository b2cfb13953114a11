/** What people and things of a country are called ("our Norwegian CFO"), with its code. */
export const DEMONYMS: ReadonlyMap<string, string> = new Map(
  (
    'american US|british GB|english GB|scottish GB|welsh GB|german DE|austrian AT|swiss CH|french FR|italian IT|spanish ES|' +
    'portuguese PT|dutch NL|belgian BE|irish IE|danish DK|swedish SE|norwegian NO|finnish FI|icelandic IS|polish PL|' +
    'czech CZ|hungarian HU|romanian RO|bulgarian BG|greek GR|turkish TR|israeli IL|canadian CA|mexican MX|brazilian BR|' +
    'indian IN|chinese CN|japanese JP|korean KR|australian AU|russian RU|ukrainian UA|estonian EE|latvian LV|lithuanian LT'
  )
    .split('|')
    .map((entry) => entry.split(' ') as [string, string]),
)
