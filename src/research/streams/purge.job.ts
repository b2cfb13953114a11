import { definePurge } from '../../jobs/purge.ts'
import { oldAccountBoards, oldBoardSnapshots, oldOpenings } from '../../resources/accounts/hiring-store.ts'
import { oldDocuments } from '../../resources/documents/store.ts'
import { oldRuns } from '../../resources/runs/store.ts'
import { oldCredits } from '../../resources/subscription/store.ts'
import { oldJudgements, oldModelReadings } from '../judgement-store.ts'
import { oldStreamItems } from './store.ts'

/** Deletes documents and the records of research after the configured retention time. */
export const purgeOldDocuments = definePurge('purge-documents', 40, ({ DOCUMENT_RETENTION_DAYS }) => ({
  documents: oldDocuments(DOCUMENT_RETENTION_DAYS),
  judgements: oldJudgements(DOCUMENT_RETENTION_DAYS),
  model_readings: oldModelReadings(DOCUMENT_RETENTION_DAYS),
  runs: oldRuns(DOCUMENT_RETENTION_DAYS),
  streams: oldStreamItems,
  account_boards: oldAccountBoards(DOCUMENT_RETENTION_DAYS),
  openings: oldOpenings(DOCUMENT_RETENTION_DAYS),
  hiring_looks: oldBoardSnapshots(DOCUMENT_RETENTION_DAYS),
  credits: oldCredits(DOCUMENT_RETENTION_DAYS),
}))
