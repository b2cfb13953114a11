import { op, type Routes } from '../../http/operation.ts'
import { baseUrl } from '../../http/origin.ts'
import { setVerifyFrom } from '../workspaces/store.ts'
import { describeVerification } from './email-verification.ts'
import { reportIntegrations } from './report.ts'
import { EmailVerification, Integrations, SetEmailVerification } from './schema.ts'

const tag = 'Integrations'

export const integrationRoutes: Routes = (app, deps) => {
  app.get(
    '/integrations',
    op('getIntegrations', { tag, summary: 'Read what is connected', data: Integrations }),
    (req) => reportIntegrations(deps, req.member, baseUrl(req, deps.config)),
  )

  app.get(
    '/integrations/email-verification',
    op('getEmailVerification', {
      tag,
      summary: 'Read what verifies email addresses',
      data: EmailVerification,
      extension: true,
    }),
    (req) => describeVerification(deps, req.member.workspace_id),
  )

  app.put(
    '/integrations/email-verification',
    op('setEmailVerification', {
      tag,
      summary: 'Name the address that mail servers are told is asking',
      description:
        'Mail servers are asked whether a mailbox exists only when they are told who asks. Holds for this workspace at once, before EMAIL_VERIFY_FROM.',
      body: SetEmailVerification,
      data: EmailVerification,
      admin: true,
      extension: true,
    }),
    async (req) => {
      const { workspace_id } = req.member
      const present = await describeVerification(deps, workspace_id)
      // Written back as it was read: what the environment says stays the environment's.
      if (req.body.from === present.from) return present
      await setVerifyFrom(deps.db, workspace_id, req.body.from)
      return describeVerification(deps, workspace_id)
    },
  )
}
