/** Every source that can be named in SOURCES. */
export const SOURCE_NAMES = [
  'website',
  'job-boards',
  'github',
  'status-pages',
  'sec',
  'hacker-news',
  'wikidata',
  'gleif',
  'companies-house',
  'globenewswire',
  'usaspending',
  'ted',
  'nih-reporter',
  'warn',
  'gdelt',
  'pr-newswire',
] as const

/** Read only when listed in SOURCES: GDELT has files of up to a gigabyte a day, PR Newswire requires agreement to its terms. */
export const OFF_BY_DEFAULT: ReadonlySet<string> = new Set(['gdelt', 'pr-newswire'])
