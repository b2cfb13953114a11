import { sql } from 'kysely'

/** What happened, in one sentence, in a query over `person_moves as move` and `people`. */
export const MOVE_SENTENCE = sql<string>`move_sentence(people.full_name, move.kind, move.from_title, move.from_employer,
  move.to_title, move.to_employer, move.evidence)`
