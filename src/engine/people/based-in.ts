const WORD = "\\p{Lu}[\\p{L}'’-]{1,30}"
const NAME = `${WORD}(?:\\s${WORD}|\\s\\p{Lu}\\.){0,3}`
const PLACE_WORD = `(?:${WORD}|St\\.)`
const PLACE_NAME = `${PLACE_WORD}(?:\\s${PLACE_WORD}){0,3}`
const VERB = /\b(?:based|lives|living|resides)\s(?:in|out of)\s(?:the\s|our\s)?/giu
/** Characters before the verb that can contain the subject. */
const MAX_BEFORE = 150
/** The subject of the verb: "Ada Pike is based in", "Pike, who lives in"; none where the verb begins the sentence. */
const SUBJECT = new RegExp(
  `(?:^|[.!?]\\s+|(?<![\\p{L}.])(?:(?:Mr|Mrs|Ms|Dr)\\.?\\s)?(${NAME})(?:,(?:\\swho)?)?\\s(?:(?:is|will be)\\s)?(?:currently\\s|now\\s)?)$`,
  'u',
)
const PLACE = new RegExp(`${PLACE_NAME}(?:,\\s${PLACE_NAME}){0,2}`, 'uy')

/** A person's location as a text states it; `who` is null where the verb begins the sentence. */
export type BasedIn = { who: string | null; place: string }

export function* findBasedIn(text: string): Generator<BasedIn> {
  for (const { 0: verb, index } of text.matchAll(VERB)) {
    const subject = SUBJECT.exec(text.slice(Math.max(0, index - MAX_BEFORE), index))
    if (!subject) continue
    PLACE.lastIndex = index + verb.length
    const place = PLACE.exec(text)?.[0]
    if (place) yield { who: subject[1] ?? null, place }
  }
}
