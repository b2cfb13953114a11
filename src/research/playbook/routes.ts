import { Type } from 'typebox'
import { op, type Routes } from '../../http/operation.ts'
import { EditPlay, PlaybookEntry, PlayParams } from '../../resources/knowledge-base/playbook-schema.ts'
import { editPlay, listPlays, resetPlay } from './plays.ts'

const tag = 'Knowledge base'
const extension = true

export const playbookRoutes: Routes = (app, deps) => {
  app.get(
    '/playbook',
    op('listPlays', {
      tag,
      summary: 'List what drafts say, by signal and department',
      description: 'Edited plays are sections of the knowledge base with the type `playbook`.',
      data: Type.Array(PlaybookEntry),
      extension,
    }),
    (req) => listPlays(deps.db, req.member.workspace_id),
  )

  app.put(
    '/playbook/:signal_id/:department',
    op('editPlay', {
      ...{ tag, extension, shared: true },
      summary: 'Change what drafts say about a signal to a department',
      description: 'Open drafts are rewritten in the background, except those that were edited.',
      params: PlayParams,
      body: EditPlay,
      data: PlaybookEntry,
    }),
    (req) => editPlay(deps, req.member.workspace_id, req.params, req.body),
  )

  app.delete(
    '/playbook/:signal_id/:department',
    op('resetPlay', {
      ...{ tag, extension, shared: true },
      summary: 'Return to the default play',
      params: PlayParams,
      data: PlaybookEntry,
    }),
    (req) => resetPlay(deps, req.member.workspace_id, req.params),
  )
}
