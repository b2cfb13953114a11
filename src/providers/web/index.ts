/** The company's own website as a source: what others may use of it. */
export { type ArticleCandidate, articleCandidate, mergeArticleCandidates, readArticles } from './articles.ts'
export { type Arrival, fetchPage, type Read, rulesFor, type Seen, WEB_SITES } from './fetch-page.ts'
export { hasNameServer, NAME_RECORDS, readNameRecords } from './name-records.ts'
export { findOwnSite, type PageReader, pageReader, sitesNamed } from './own-site.ts'
export { rawDocument as cameOf } from './raw-document.ts'
export { paceOf } from './robots.ts'
export { Site, type SitePage } from './site.ts'
export { type Survey, surveySite } from './survey.ts'
