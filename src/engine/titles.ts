import { type Department, departmentOf } from './titles/departments.ts'
import { type JobLevel, levelOf } from './titles/levels.ts'
import { servesSomeone, titleWords, withoutSuperior } from './titles/words.ts'

export { titlesAgree } from './titles/agree.ts'
export { DEPARTMENTS, type Department } from './titles/departments.ts'
export { JOB_LEVELS, type JobLevel } from './titles/levels.ts'

export type TitleReading = { job_level: JobLevel; department: Department }

/**
 * Reads a job title. A title that says nothing is Staff and Other: the level filter of a list must never show
 * somebody higher than their title says.
 */
export function readTitle(title: string): TitleReading {
  const words = titleWords(title)
  if (servesSomeone(words)) return { job_level: 'Staff', department: 'Administration' }
  const own = withoutSuperior(words)
  return { job_level: levelOf(own), department: departmentOf(own, words) }
}
