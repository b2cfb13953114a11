// Closed classes of words that several readers of text need.

/** The words of a list that is written as one text. */
export const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Written small inside a name: between a given name and a surname, or between the words of a company's name. */
export const NAME_PARTICLES = wordSet(
  'van von der den de del della di da dos das do du la le los las el al bin ibn ben y e zu zum zur ter ten te af av',
)

/** Before a person's name, without accents and stops. */
export const HONORIFICS = wordSet(
  'dr prof professor mr mrs ms miss mx sir dame lord lady hon rev reverend fr ing dipl mag herr frau dott ' +
    'dottssa dra sra sr don eng capt captain col gen lt sgt judge senator mme mlle m med rer nat jur pol phil habil oec ' +
    'excellency',
)

/** Chief officers by their letters. CSO, CPO and CCO are ambiguous in department, never in level. */
export const CHIEF_OFFICERS = wordSet(
  'ceo cfo cto cio ciso cmo cro coo cpo chro cco cdo cso clo cao cgo caio cxo cbo cko cino cqo cpto cdao cse cvo',
)

/** Those who speak and act for a company, as texts about it name them. */
export const OFFICE_TITLES = wordSet(
  'ceo cfo cto coo cio cmo cro president chairman chairwoman director founder co-founder officer',
)

/** Legal forms of companies, without stops. */
export const LEGAL_FORMS = wordSet(
  'inc incorporated corp corporation co company ltd limited llc plc lp llp gmbh ag sa nv bv se pty pte pvt srl spa ' +
    'sas sarl ab as asa oy oyj kk kg aps ulc pc pllc bhd sdn tbk sro spzoo doo ood eood kft',
)

/** Numbers as they are spelled out, from one to a hundred. */
export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ...'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, i) => [word, i + 1] as const),
  ...'twenty thirty forty fifty sixty seventy eighty ninety hundred'
    .split(' ')
    .map((word, i) => [word, (i + 2) * 10] as const),
])
