/** The company's own website as a source: what others may use of it. */
export { canonicalUrl, type Part } from './content.ts'
export { type Look, type LookOptions, look, type Read, type Seen } from './look.ts'
export type { PageKind, SitePage } from './site.ts'
export { type Survey, type SurveyOptions, surveySite } from './survey.ts'
