import { JOB_NOUNS } from './job-nouns.ts'
import { titleWords } from './words.ts'

/** Board seats and honorary titles that a person can have in addition to a job; a president may also be chief executive. */
const BOARD_SEATS =
  /\b(?:(?:executive|non-executive|vice|deputy|lead|independent)[ -])*chair(?:man|woman|person)?\b|\b(?:lead |independent |non-?executive |outside |supervisory |board )+(?:directors?|members?|observers?|advis[eo]rs?)\b|\b(?:member of )?(?:the |its |our |advisory |supervisory )*boards?\b(?: of (?:directors|advis[eo]rs|trustees))?|\badvis[eo]rs?\b|\btrustees?\b|(?<!vice[ -])\bpresident\b|^director$|\ban? director\b|\b(?:as|and) director\b(?! of (?!the\b))/gi

export const removeBoardSeats = (text: string) => text.replaceAll(BOARD_SEATS, ' ')

/** Whether a title is only a board seat, so that the person may work at another company. */
export function isBoardSeat(title: string): boolean {
  const rest = removeBoardSeats(title.replaceAll(/(?<!vice[ -])\bpresident\b/gi, 'officer'))
  return rest.trim() !== title.trim() && !titleWords(rest).some((word) => JOB_NOUNS.has(word))
}
