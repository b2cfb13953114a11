import { type Department, departmentOf } from './departments.ts'
import { type JobLevel, levelOf } from './levels.ts'
import { dropSuperior, isAssistantTitle, titleWords } from './words.ts'

export { isDifferentRole, titlesAgree } from './agree.ts'
export { DEPARTMENTS, type Department } from './departments.ts'
export { JOB_LEVELS, type JobLevel, LEADING_LEVELS } from './levels.ts'

export type TitleReading = { job_level: JobLevel; department: Department }

/**
 * Reads a job title. A title that says nothing is Staff and Other: the level filter of a list must never show
 * somebody higher than their title says.
 */
export function readTitle(title: string): TitleReading {
  const words = titleWords(title)
  if (isAssistantTitle(words)) return { job_level: 'Staff', department: 'Administration' }
  const own = dropSuperior(words)
  return { job_level: levelOf(own), department: departmentOf(own, words) }
}
