/** One way to write a name in an address: ASCII, lower case. */
export type NameForm = { first: string; last: string; weight: number }
type Rule = {
  build: (form: NameForm) => string
  /** How common the pattern is among companies in general; relative, and a guess where nothing is known. */
  prior: number
  /** What an address of this pattern looks like when nobody's name is known. */
  shape: RegExp
}

const LETTERS = /^[a-z-]{3,30}$/

export const PATTERNS = {
  'first.last': { build: ({ first, last }) => `${first}.${last}`, prior: 0.38, shape: /^[a-z-]{2,20}\.[a-z-]{2,30}$/ },
  flast: { build: ({ first, last }) => `${first.charAt(0)}${last}`, prior: 0.24, shape: LETTERS },
  first: { build: ({ first }) => first, prior: 0.14, shape: LETTERS },
  firstlast: { build: ({ first, last }) => `${first}${last}`, prior: 0.06, shape: LETTERS },
  'f.last': { build: ({ first, last }) => `${first.charAt(0)}.${last}`, prior: 0.05, shape: /^[a-z]\.[a-z-]{2,30}$/ },
  first_last: { build: ({ first, last }) => `${first}_${last}`, prior: 0.03, shape: /^[a-z-]{2,20}_[a-z-]{2,30}$/ },
  firstl: { build: ({ first, last }) => `${first}${last.charAt(0)}`, prior: 0.03, shape: LETTERS },
  last: { build: ({ last }) => last, prior: 0.02, shape: LETTERS },
  'last.first': { build: ({ first, last }) => `${last}.${first}`, prior: 0.02, shape: /^[a-z-]{2,30}\.[a-z-]{2,20}$/ },
  lastf: { build: ({ first, last }) => `${last}${first.charAt(0)}`, prior: 0.02, shape: LETTERS },
  'first.l': { build: ({ first, last }) => `${first}.${last.charAt(0)}`, prior: 0.01, shape: /^[a-z-]{2,20}\.[a-z]$/ },
  'first-last': { build: ({ first, last }) => `${first}-${last}`, prior: 0.01, shape: /^[a-z]{2,20}-[a-z]{2,30}$/ },
  lastfirst: { build: ({ first, last }) => `${last}${first}`, prior: 0.005, shape: LETTERS },
  'last.f': { build: ({ first, last }) => `${last}.${first.charAt(0)}`, prior: 0.005, shape: /^[a-z-]{2,30}\.[a-z]$/ },
} as const satisfies Record<string, Rule>

export type Pattern = keyof typeof PATTERNS
