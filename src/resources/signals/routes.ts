import { Type } from 'typebox'
import { hangUp } from '../../http/hang-up.ts'
import { op, type Routes } from '../../http/operation.ts'
import { Deleted, deleted } from '../../http/schema.ts'
import { viewerOf } from '../../member.ts'
import { createSignal, deleteSignal, updateSignal } from './change.ts'
import { previewSignal } from './preview.ts'
import { CreateSignal, Preview, PreviewSignal, Signal, SignalParams, UpdateSignal } from './schema.ts'
import { getSignal, listSignalsWithFindings } from './store.ts'

const tag = 'Signals'
const extension = true

export const signalRoutes: Routes = (app, deps) => {
  const { db } = deps

  app.get(
    '/signals',
    op('listSignals', { tag, summary: 'List what the service looks for', data: Type.Array(Signal), extension }),
    (req) => listSignalsWithFindings(db, req.member.workspace_id),
  )

  app.post(
    '/signals',
    op('createSignal', {
      shared: true,
      tag,
      summary: 'Describe a signal of your own',
      body: CreateSignal,
      data: Signal,
      status: [201],
      errors: ['name_taken'],
      extension,
    }),
    (req) => createSignal(deps, req.member.workspace_id, req.body),
  )

  app.post(
    '/signals/preview',
    op('previewSignal', {
      tag,
      summary: 'Try a description on a text, or on your own documents, before it is used',
      body: PreviewSignal,
      data: Preview,
      changesNothing: true,
      extension,
    }),
    (req, reply) => previewSignal(deps, viewerOf(req.member), req.body, hangUp(reply)),
  )

  app.get(
    '/signals/:id',
    op('getSignal', { tag, summary: 'Read a signal', params: SignalParams, data: Signal, extension }),
    (req) => getSignal(db, req.member.workspace_id, req.params.id),
  )

  app.patch(
    '/signals/:id',
    op('updateSignal', {
      shared: true,
      tag,
      summary: 'Change a signal, or switch it on or off',
      params: SignalParams,
      body: UpdateSignal,
      data: Signal,
      errors: ['name_taken', 'builtin_signal'],
      extension,
    }),
    (req) => updateSignal(deps, req.member.workspace_id, req.params.id, req.body),
  )

  app.delete(
    '/signals/:id',
    op('deleteSignal', {
      shared: true,
      tag,
      summary: 'Delete a signal of your own',
      params: SignalParams,
      data: Deleted,
      example: { id: 'warehouse_automation' },
      errors: ['builtin_signal'],
      extension,
    }),
    async (req) => {
      await deleteSignal(deps, req.member.workspace_id, req.params.id)
      return deleted(req.params.id)
    },
  )
}
