// Closed word classes that several parsers use.

/** A set of space-separated words. */
export const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Lower-case words inside a name: between a given name and a surname, or between the words of a company's name. */
export const NAME_PARTICLES = wordSet(
  'van von der den de del della di da dos das do du la le los las el al bin ibn ben y e zu zum zur ter ten te af av',
)

/** Titles before a person's name, without accents and periods. */
export const HONORIFICS = wordSet(
  'dr prof professor mr mrs ms miss mx sir dame lord lady hon rev reverend fr ing dipl mag herr frau dott ' +
    'dottssa dra sra sr don eng capt captain col gen lt sgt judge senator mme mlle m med rer nat jur pol phil habil oec ' +
    'drs ir dña dna avv arch maitre excellency',
)

/** Abbreviations of chief officers. CSO, CPO and CCO are ambiguous in department, never in level. */
export const CHIEF_OFFICERS = wordSet(
  'ceo cfo cto cio ciso cmo cro coo cpo chro cco cdo cso clo cao cgo caio cxo cbo cko cino cqo cpto cdao cse cvo',
)

/** Titles of people who act for a company in texts about it. */
export const OFFICE_TITLES = wordSet(
  'ceo cfo cto coo cio cmo cro president chairman chairwoman director founder co-founder officer',
)

/** Legal forms of companies, without periods. */
export const LEGAL_FORMS = wordSet(
  'inc incorporated corp corporation co company ltd limited llc plc lp llp gmbh ag sa nv bv se pty pte pvt srl spa ' +
    'sas sarl ab as asa oy oyj kk kg aps ulc pc pllc bhd sdn tbk sro spzoo doo ood eood kft',
)

/** Number words from one to a hundred. */
export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ...'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, i) => [word, i + 1] as const),
  ...'twenty thirty forty fifty sixty seventy eighty ninety hundred'
    .split(' ')
    .map((word, i) => [word, (i + 2) * 10] as const),
])
