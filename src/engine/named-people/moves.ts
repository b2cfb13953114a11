// Finds people who joined a company, changed their role or left, according to a text.

import { compileFrame, findFrame } from '../claim/frames.ts'
import { parseStatement } from '../claim/statement.ts'
import { WORD_GROUPS } from '../claim/word-groups.ts'
import type { CompanyIdentity } from '../companies/company-names.ts'
import { nameKey, splitFullName } from '../people/person-name.ts'
import { foldText } from '../text/fold.ts'
import { splitWords } from '../text/tokens.ts'
import { removeBoardSeats } from '../titles/board-seats.ts'
import { readTitle } from '../titles/index.ts'
import { JOB_NOUNS } from '../titles/job-nouns.ts'
import { addPeopleInSentence, companySentences, type NamedPeople, type NamedText, type TextRange } from './index.ts'

/** A person in the text, with the sentence that reports the move. */
export type ReportedMove = { full_name: string; quote: string } & (
  | {
      kind: 'in_office'
      title: string
      /** The sentence appoints them; otherwise it only mentions their job. */
      is_appointed: boolean
    }
  | {
      kind: 'leaving'
      /** They have left; otherwise they may stay for a while. */
      is_over: boolean
    }
)

/** A text without one of these reports no move. */
const CUE =
  /\b(?:appoint|names?\b|named|hires?\b|hired|joins?\b|joined|joining|promot|welcom|elevat|elect|succeed|step(?:s|ped|ping)? down|resign|retir|depart|leaves?\b|left\b|leaving)/i
/** Verbs for getting a new job. */
const APPOINTS = /\b(?:appoint|names?\b|named|promot|elevat|elect|succeed)/i
/** The same, where the company or the person directly follows: people who join a panel keep their job. */
const COMES = /\bjoin(?:s|ed|ing) $/i
const TAKES_ON = /\b(?:hires?|hired|welcom(?:es|ed))\b[^,;]{0,80}$/i
/** The wording of filings: "Ada Pike notified the Company of her decision to resign as Chief Financial Officer". */
const RESIGNS = [
  '{person} notified|informed|advised … of … resign|resignation|retire|retirement|leave|departure',
  '{person} notified|informed|advised … his|her|their resignation|retirement|departure|decision|intention',
  '{person} resigned|retired|departed from|as',
].map((words) => compileFrame({ subject: 'anyone', words }, WORD_GROUPS))
/** The person has left, and is not only about to leave. */
const GONE = /\b(?:left|departed|resigned|retired|stepped down)\b/i
const TO_COME = /\b(?:effective|will|until|end of|upon|following|plans?|intends?)\b/i
/** Legal forms and defined names: "Acme, Inc. (the “Company”)" is "Acme". */
const DEFINITION = /,? (?:Inc|Corp|Co|Ltd|LLC|PLC)\b\.?| \([^()]{1,60}\)/gi
/** Maximum number of people per text; a text with more is a directory. */
const MAX_MOVES = 50

/** "Acme appoints Ada Pike, formerly CFO of Globex, as CEO": the former job is removed. */
const ASIDE =
  /,? (?:an? |the )?(?:former(?:ly)?|previous(?:ly)?|most recently|until recently|ex)[ -][^,;:]{1,160},|(?<=\bjoin(?:s|ed|ing)\b[^,;:]{1,80}) from [^,;:]{1,80}?(?= (?:as|to)\b)/i

/** Finds the people who are in office at the company now or are leaving it, each once, in a text of a given day. */
export function findReportedMoves(
  text: NamedText,
  company: CompanyIdentity,
  day: string | null = null,
): ReportedMove[] {
  if (!CUE.test(text.title ?? '') && !CUE.test(text.text)) return []
  const moves = new Map<string, ReportedMove>()
  for (const { sentence, mentions } of companySentences(text, company, (word) => JOB_NOUNS.has(word))) {
    if (!CUE.test(sentence)) continue
    const named: NamedPeople = { people: [], leaving: [] }
    const plain = withoutAside(sentence, mentions)
    addPeopleInSentence(plain.sentence, company.name, plain.mentions, named)
    const add = (move: ReportedMove) => {
      const key = nameKey(move.full_name)
      // A departure replaces an earlier mention in office.
      if (!moves.has(key) || move.kind === 'leaving') moves.set(key, move)
    }
    for (const { full_name, title } of named.people) {
      const is_appointed = APPOINTS.test(sentence) || isTakenOn(sentence, mentions, full_name)
      add({ kind: 'in_office', full_name, title, is_appointed, quote: sentence })
    }
    if (!endsJob(sentence, mentions, day)) continue
    const statement = parseStatement(plain.sentence.replaceAll(DEFINITION, ''), [])
    const resigned = RESIGNS.flatMap((frame) => findFrame(statement, frame)?.slots.person?.phrase ?? [])
    const is_over = GONE.test(sentence) && !TO_COME.test(sentence)
    for (const full_name of [...named.leaving, ...resigned])
      add({ kind: 'leaving', full_name, is_over, quote: sentence })
    if (moves.size >= MAX_MOVES) break
  }
  return [...moves.values()]
}

function isTakenOn(sentence: string, mentions: readonly TextRange[], fullName: string): boolean {
  return (
    mentions.some(({ start }) => COMES.test(sentence.slice(0, start))) ||
    TAKES_ON.test(sentence.slice(0, sentence.indexOf(fullName)))
  )
}

const LEAVES =
  /\b(?:step(?:s|ped|ping)? down|resign(?:s|ed|ing|ation)?|retir(?:es?|ed|ing|ement)|depart(?:s|ed|ing|ure)?|leav(?:es?|ing)|left)\b/gi
/** People who keep another role, or joined only then, have not left. */
const STAYS = /\b(?:remain|continu|stay|return|rejoin)|\bjoined\b|\bwill (?:\w+ )?(?:serve|become|assume|transition)\b/i
/** The job that is left: "resigned as Chief Financial Officer", "retires from her role as". */
const WHAT = /^(?:,[^,]{1,60},)? (?:from|as) ([^,;:.]+)/
const POST = /\b(?:positions?|roles?|posts?|offices|employment)\b/i
/** The company of the office: "a partner of Ernst & Young", but not "Head of Sales". */
const WHOSE = / (?:at|of|with|for) (?:the )?(\p{Lu}.*)$/u
/** A filing in January reports events of December. */
const LATE_MS = 60 * 86_400_000

/**
 * Whether a sentence states that a job at the company ends: not a board seat, a job elsewhere, or one that ended years
 * ago.
 */
function endsJob(sentence: string, mentions: readonly TextRange[], day: string | null): boolean {
  if (STAYS.test(sentence)) return false
  const year = day === null ? 0 : new Date(Date.parse(day) - LATE_MS).getUTCFullYear()
  if ([...sentence.matchAll(/\b(?:19|20)\d\d\b/g)].some(([said]) => Number(said) < year)) return false
  const leaves = [...sentence.matchAll(LEAVES)]
  return leaves.length > 0 && leaves.every(({ 0: said, index }) => isOfJob(sentence, index + said.length, mentions))
}

function isOfJob(sentence: string, from: number, mentions: readonly TextRange[]): boolean {
  const what = WHAT.exec(sentence.slice(from))
  // "Chief Financial Officer Ada Pike resigned."
  if (!what) return namesJob(sentence)
  const office = what[1] as string
  const start = from + what[0].length - office.length
  const ours = mentions.filter((place) => place.start >= start && place.start < start + office.length)
  const isBoard = (place: TextRange) => /\bboard\b/i.test(sentence.slice(place.start, place.end))
  if (ours.some((place) => place.start - start <= 4 && !isBoard(place))) return true
  const whose = WHOSE.exec(office)?.[1]
  const isElsewhere = whose !== undefined && ours.length === 0 && readTitle(whose).department === 'Other'
  return !isElsewhere && (POST.test(office) || namesJob(office))
}

/** Whether the text names a job other than board seats. */
const namesJob = (text: string) => splitWords(removeBoardSeats(text)).some((word) => JOB_NOUNS.has(word))

function withoutAside(sentence: string, mentions: TextRange[]): { sentence: string; mentions: TextRange[] } {
  const aside = ASIDE.exec(sentence)
  if (!aside) return { sentence, mentions }
  const from = aside.index
  const until = from + aside[0].length
  const length = until - from
  return {
    sentence: sentence.slice(0, from) + sentence.slice(until),
    mentions: mentions.flatMap(({ start, end }) => {
      if (end <= from) return [{ start, end }]
      return start >= until ? [{ start: start - length, end: end - length }] : []
    }),
  }
}

/** Text between the wording and the employer that does not indicate a current job or another person. */
const GAP = String.raw`(?:(?!\b(?:is|are|remains?|since|continu\w+|current(?:ly)?|succeed\w*|replac\w+)\b)[^;:,])`
/** The wording before a former employer: "formerly VP Finance at", "joins Acme from", "left her post at". */
const FORMER = [
  String.raw`\b(?:formerly|previously|(?:most|until) recently),?(?<gap> ${GAP}{0,90}?)?\b(?:at|of|with|for) $`,
  String.raw`\b(?:prior to|before) ${GAP}{1,60},(?<gap> ${GAP}{1,90}?) (?:at|of|with|for) $`,
  String.raw`\b(?:former|ex-?) ?(?<gap>)$`,
  String.raw`\b(?:former|ex)[ -](?<gap>${GAP}{1,60}) (?:at|of) $`,
  String.raw`\b(?:joins|joined|joining|comes|came)\b(?<gap>${GAP}{0,60}) from $`,
  String.raw`\b(?:left|leaves|leaving|departs|departed) (?:(?<gap>${GAP}{1,60}) at )?$`,
].map((before) => new RegExp(before.replace(/ \$$/, ' (?:the )?$'), 'i'))
/** Without a job or such a verb, "with" and "of" prove no employment: the person may have sold to the company. */
const WORKED = /\b(?:led|headed|ran|managed|oversaw|worked|spent|served|held|was)\b/i
const STILL = /^[^.;]{0,60}\b(?:remains?|continues?|since)\b/i
const PRONOUN = /\b(?:she|he|they|her|his|their|ms|mr|mrs|mx|dr)\b/i

/**
 * The sentence that states that a person comes from a company, or null: it names the company as their past next to
 * their surname, or next to a pronoun where the text is about no other person. A name match alone proves nothing.
 */
export function findFormerEmployer(
  text: NamedText,
  fullName: string,
  isOnlyOne: boolean,
  company: CompanyIdentity,
): string | null {
  const surname = splitWords(foldText(splitFullName(fullName).last_name)).at(-1)
  if (surname === undefined) return null
  for (const { sentence, mentions } of companySentences({ ...text, own: false }, company, () => true)) {
    if (mentions.some((place) => isPastOf(sentence, place, surname, isOnlyOne))) return sentence
  }
  return null
}

function isPastOf(sentence: string, { start, end }: TextRange, surname: string, isOnlyOne: boolean): boolean {
  const [before, after] = [sentence.slice(0, start), sentence.slice(end)]
  if (STILL.test(after)) return false
  return FORMER.some((form) => {
    const found = form.exec(before)
    if (!found) return false
    const gap = found.groups?.gap?.trim() ?? ''
    if (gap !== '' && !/ from (?:the )?$/.test(before) && !splitWords(gap).some((word) => JOB_NOUNS.has(word))) {
      if (!WORKED.test(gap) || / (?:of|with) (?:the )?$/.test(before)) return false
    }
    // The person is named directly before it, in it, or directly after it.
    const subject = before.slice(0, found.index)
    const words = (said: string) => splitWords(foldText(said))
    const isTheirs =
      words(subject.replace(/[\s,(]+(?:who|who was|an?|the|was|has|will)?[\s,]*$/i, '')).at(-1) === surname ||
      words(found[0]).includes(surname) ||
      words(/^[^,;:.]{0,60}/.exec(after)?.[0] ?? '').includes(surname)
    if (isTheirs) return true
    const isOthers = /\b(?:succeed\w*|replac\w+)\b/i.test(subject)
    return isOnlyOne && !isOthers && (PRONOUN.test(sentence) || words(sentence).includes(surname))
  })
}
