import type { JobBoard } from '../../engine/page/links.ts'
import type { JobBoardSource } from '../types.ts'
import { ashby } from './ashby.ts'
import { greenhouse } from './greenhouse.ts'
import { lever } from './lever.ts'
import { personio } from './personio.ts'
import { recruitee } from './recruitee.ts'
import { smartrecruiters } from './smartrecruiters.ts'
import { teamtailor } from './teamtailor.ts'
import { workable } from './workable.ts'
import { workday } from './workday.ts'

/** Vendors by the name that the engine uses for boards linked on a page. */
export const JOB_BOARDS: Record<JobBoard['vendor'], JobBoardSource> = {
  ashby,
  greenhouse,
  lever,
  personio,
  recruitee,
  smartrecruiters,
  teamtailor,
  workable,
  workday,
}
