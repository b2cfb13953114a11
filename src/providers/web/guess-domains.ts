import { companyShortForms, coreWords } from '../../engine/companies/company-names.ts'
import { foldText } from '../../engine/text/fold.ts'

/** Each costs a request or two. */
const MAX_GUESSES = 10
const LABEL = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/

/** Countries whose companies are not directly under the country's code. */
const COUNTRY_ENDINGS: Readonly<Record<string, string>> = {
  ...{ GB: 'co.uk', AU: 'com.au', NZ: 'co.nz', JP: 'co.jp', KR: 'co.kr', BR: 'com.br', MX: 'com.mx', AR: 'com.ar' },
  ...{ ZA: 'co.za', IL: 'co.il', TR: 'com.tr', SG: 'com.sg', MY: 'com.my', TH: 'co.th', TW: 'com.tw', UA: 'com.ua' },
}

/**
 * Domains that a company of this name may have, the likeliest first: the name in one word, hyphenated and in its short
 * form, under .com, the country's domain, .io and .ai. Each needs proof.
 */
export function guessDomains(name: string, country: string | undefined): string[] {
  const core = coreWords(foldText(name))
  const [short] = companyShortForms(core)
  const labels = [core.join(''), core.join('-'), ...(short ? [short.join('')] : [])].filter((label) =>
    LABEL.test(label),
  )
  const own = country && country !== 'US' ? [COUNTRY_ENDINGS[country] ?? country.toLowerCase()] : []
  const common = ['com', ...own]
  const joined = labels.slice(0, 1)
  const guesses = [
    ...[...new Set(labels)].flatMap((label) => common.map((ending) => `${label}.${ending}`)),
    ...joined.flatMap((label) => [`${label}.io`, `${label}.ai`]),
  ]
  return [...new Set(guesses)].slice(0, MAX_GUESSES)
}
