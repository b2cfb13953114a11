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
    op('getIntegrations', { tag, summary: 'Read the state of all integrations', data: Integrations }),
    (req) => reportIntegrations(deps, req.member, baseUrl(req, deps.config)),
  )

  app.get(
    '/integrations/email-verification',
    op('getEmailVerification', {
      tag,
      summary: 'Read the email verification settings',
      data: EmailVerification,
      extension: true,
    }),
    (req) => describeVerification(deps, req.member.workspace_id),
  )

  app.put(
    '/integrations/email-verification',
    op('setEmailVerification', {
      tag,
      summary: 'Set the sender address for email verification',
      description:
        'Mail servers are queried for a mailbox only with a sender address (MAIL FROM). Takes effect for this workspace at once and overrides EMAIL_VERIFY_FROM.',
      body: SetEmailVerification,
      data: EmailVerification,
      admin: true,
      extension: true,
    }),
    async (req) => {
      const { workspace_id } = req.member
      const present = await describeVerification(deps, workspace_id)
      // The current value sent back is not stored, so that the environment's value stays in effect.
      if (req.body.from === present.from) return present
      await setVerifyFrom(deps.db, workspace_id, req.body.from)
      return describeVerification(deps, workspace_id)
    },
  )
}
