import { defineJob } from '../jobs/define.ts'
import { purgeRuns } from '../resources/runs/store.ts'
import { purgeDocuments } from './document-store.ts'
import { purgeJudgements } from './judgement-store.ts'

/** Keeps what was read, and the runs that read it, for as long as the configuration says. */
export const purgeOldDocuments = defineJob({
  name: 'purge-documents',
  schedule: '40 3 * * *',
  async run({ db, config, log }) {
    const count = await purgeDocuments(db, config.DOCUMENT_RETENTION_DAYS)
    await purgeJudgements(db, config.DOCUMENT_RETENTION_DAYS)
    await purgeRuns(db, config.DOCUMENT_RETENTION_DAYS)
    if (count > 0) log.info({ count }, 'documents past their time were deleted')
  },
})
