import { JOB_NOUNS } from './job-nouns.ts'
import { titleWords } from './words.ts'

/** Seats and honours that somebody has beside a job, or beside none; a president may be chief executive as well. */
const BESIDE =
  /\b(?:(?:executive|non-executive|vice|deputy|lead|independent)[ -])*chair(?:man|woman|person)?\b|\b(?:lead |independent |non-?executive |outside |supervisory |board )+(?:directors?|members?|observers?|advis[eo]rs?)\b|\b(?:member of )?(?:the |its |our |advisory |supervisory )*boards?\b(?: of (?:directors|advis[eo]rs|trustees))?|\badvis[eo]rs?\b|\btrustees?\b|(?<!vice[ -])\bpresident\b|^director$|\ban? director\b|\b(?:as|and) director\b(?! of (?!the\b))/gi

/** A text without what it says of such seats. */
export const removeBoardSeats = (text: string) => text.replaceAll(BESIDE, ' ')

/** Whether a title is a seat beside a job: whoever has it may work anywhere. */
export function isBoardSeat(title: string): boolean {
  const rest = removeBoardSeats(title.replaceAll(/(?<!vice[ -])\bpresident\b/gi, 'officer'))
  return rest.trim() !== title.trim() && !titleWords(rest).some((word) => JOB_NOUNS.has(word))
}
