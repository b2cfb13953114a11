import { type Department, departmentOf } from './departments.ts'
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
  const words = titleWords(title)
  if (isAssistantTitle(words)) return { job_level: 'Staff', department: 'Administration' }
  const own = dropSuperior(words)
  return { job_level: levelOf(own), department: departmentOf(own, words) }
}
