import { type Department, departmentOf } from './departments.ts'
import { oneGender } from './gender-forms.ts'
import { translateTitleWords } from './languages.ts'
import { type JobLevel, levelOf } from './levels.ts'
import { dropSuperior, isAssistantTitle, titleWords } from './words.ts'

export { isDifferentRole, titlesAgree } from './agree.ts'
export { DEPARTMENTS, type Department } from './departments.ts'
export { JOB_LEVELS, type JobLevel, LEADING_LEVELS } from './levels.ts'

export type TitleReading = { job_level: JobLevel; department: Department }

/**
 * Parses a job title into level and department. An unknown title is Staff and Other, because a filter by level must never
 * show a person above the level of their title.
 */
export function readTitle(title: string): TitleReading {
  const words = englishTitleWords(title)
  if (isAssistantTitle(words)) return { job_level: 'Staff', department: 'Administration' }
  const own = dropSuperior(words)
  return { job_level: levelOf(own), department: departmentOf(own, words) }
}

/** The words of a title; a title in another language is translated, so that one vocabulary covers all. */
function englishTitleWords(title: string): string[] {
  const { words, isForeign } = translateTitleWords(titleWords(oneGender(title)))
  if (!isForeign) return words
  // "Assistenz der Geschäftsführung" serves the management.
  return words.map((word, i) => (word === 'of' && words[i - 1] === 'assistant' ? 'to' : word))
}
