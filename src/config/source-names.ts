/** Every source that can be named in SOURCES. */
export const SOURCE_NAMES = [
  'website',
  'job-boards',
  'github',
  'status-pages',
  'sec',
  'hacker-news',
  'wikidata',
  'globenewswire',
  'usaspending',
  'ted',
  'nih-reporter',
  'warn',
  'gdelt',
  'pr-newswire',
] as const

/** Asked only by those who name them: one limits everybody's questions together, the other's terms want to be agreed to. */
export const OFF_BY_DEFAULT: ReadonlySet<string> = new Set(['gdelt', 'pr-newswire'])
