import type { JobBoard } from '../../engine/page/links.ts'
import type { JobBoardSource } from '../types.ts'
import { ashby } from './ashby.ts'
import { greenhouse } from './greenhouse.ts'
import { lever } from './lever.ts'
import { recruitee } from './recruitee.ts'
import { smartrecruiters } from './smartrecruiters.ts'
import { workable } from './workable.ts'

/** Vendors by the name that the engine uses for boards linked on a page. */
export const JOB_BOARDS: Record<JobBoard['vendor'], JobBoardSource> = {
  ashby,
  greenhouse,
  lever,
  recruitee,
  smartrecruiters,
  workable,
}
