import { defineJob } from '../../jobs/define.ts'
import { findForgottenPushRuns } from '../../resources/push-runs/work-store.ts'
import { CHANNELS } from './index.ts'

/** A run nobody has touched for so long is taken up again: longer than any pause between attempts. */
const FORGOTTEN_SECONDS = 600

/** Takes up runs whose workers were killed: at the start of a worker, and every few minutes. */
export const resumePushRuns = defineJob<{ idle?: number }>({
  name: 'resume-push-runs',
  schedule: '*/5 * * * *',
  atStart: true,
  async run({ db, jobs }, { idle = FORGOTTEN_SECONDS }) {
    for (const { workspace_id, id, channel } of await findForgottenPushRuns(db, idle)) {
      await jobs.enqueue(db, CHANNELS[channel].job, { workspace_id, run_id: id })
    }
  },
})
