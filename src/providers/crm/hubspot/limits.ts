/** The dated version of the API: the numbered ones end in 2027. */
export const API_VERSION = '2026-09'
/** Records in one call. */
export const BATCH = 100
