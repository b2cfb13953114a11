import { defineJob } from '../jobs/define.ts'
import { beginReadings } from './judgement-store.ts'
import { redetectSignal } from './redetect.job.ts'

/** Has what was read before judged again when the reader's weights are new to a workspace: once, and without alerts. */
export const rejudgeDocuments = defineJob({
  name: 'rejudge-documents',
  atStart: true,
  schedule: '35 4 * * *',
  async run({ db, jobs, classifier, log }) {
    if (!(await classifier.checkRuntime()).ready) return
    await db.transaction().execute(async (db) => {
      const workspaces = await beginReadings(db, classifier.version)
      for (const workspace_id of workspaces) await jobs.enqueue(db, redetectSignal, { workspace_id, signal_id: null })
      if (workspaces.length > 0)
        log.info({ version: classifier.version, workspaces: workspaces.length }, 'the reader is new')
    })
  },
})
