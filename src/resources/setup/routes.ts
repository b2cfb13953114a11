import { abortOnDisconnect } from '../../http/abort-on-disconnect.ts'
import { op, type Routes } from '../../http/operation.ts'
import { PreflightRunner } from './preflight.ts'
import { readSetup } from './read.ts'
import { Preflight, PreflightQuery, Setup, UpdateSetup } from './schema.ts'
import { saveSetupChoices } from './store.ts'

const tag = 'Settings'
const extension = true

export const setupRoutes: Routes = (app, deps) => {
  const preflight = new PreflightRunner(deps)

  app.get(
    '/setup',
    op('getSetup', { tag, summary: 'Read the steps of the setup and its progress', data: Setup, extension }),
    (req) => readSetup(deps, req.member),
  )

  app.patch(
    '/setup',
    op('updateSetup', {
      tag,
      summary: 'Put a step of your setup off, keep its defaults, or dismiss the setup',
      body: UpdateSetup,
      data: Setup,
      extension,
    }),
    async (req) => {
      await saveSetupChoices(deps.db, req.member, req.body)
      return readSetup(deps, req.member)
    },
  )

  app.get(
    '/setup/preflight',
    op('getPreflight', {
      tag,
      summary: 'Check what this server can reach',
      description: 'Internet, DNS, mail servers, the chat and the CRMs. The result is kept for five minutes.',
      query: PreflightQuery,
      data: Preflight,
      admin: true,
      extension,
    }),
    (req, reply) => preflight.read(req.member.workspace_id, abortOnDisconnect(reply), req.query),
  )
}
