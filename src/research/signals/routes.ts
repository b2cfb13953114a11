import { Type } from 'typebox'
import { abortOnDisconnect } from '../../http/abort-on-disconnect.ts'
import { op, type Routes } from '../../http/operation.ts'
import { Deleted, deleted } from '../../http/schema.ts'
import { deleteExample } from '../../resources/signals/examples-store.ts'
import {
  CreateSignal,
  ExampleParams,
  MAX_EXAMPLES,
  MarkExample,
  Preview,
  PreviewSignal,
  Signal,
  SignalExample,
  SignalParams,
  UpdateSignal,
} from '../../resources/signals/schema.ts'
import { getSignal, listSignalsWithFindings } from '../../resources/signals/store.ts'
import { viewerOf } from '../../shared/member.ts'
import { createSignal, deleteSignal, updateSignal } from './change.ts'
import { presentSignal } from './describe.ts'
import { listSignalExamples, markExample } from './examples.ts'
import { previewSignal } from './preview.ts'

const tag = 'Signals'
const extension = true

export const signalRoutes: Routes = (app, deps) => {
  const { db } = deps

  app.get(
    '/signals',
    op('listSignals', {
      tag,
      summary: 'List the signals that the service detects',
      data: Type.Array(Signal),
      extension,
    }),
    async (req) => (await listSignalsWithFindings(db, req.member.workspace_id)).map(presentSignal),
  )

  app.post(
    '/signals',
    op('createSignal', {
      shared: true,
      tag,
      summary: 'Create a custom signal from a description',
      body: CreateSignal,
      data: Signal,
      status: [201],
      errors: ['name_taken', 'unclear_description', 'builtin_signal'],
      extension,
    }),
    (req) => createSignal(deps, req.member, req.body),
  )

  app.post(
    '/signals/preview',
    op('previewSignal', {
      tag,
      summary: 'Try a description on a text, or on your own documents, before it is used',
      body: PreviewSignal,
      data: Preview,
      changesNothing: true,
      errors: ['unclear_description'],
      extension,
    }),
    (req, reply) => previewSignal(deps, viewerOf(req.member), req.body, abortOnDisconnect(reply)),
  )

  app.get(
    '/signals/:id',
    op('getSignal', { tag, summary: 'Read a signal', params: SignalParams, data: Signal, extension }),
    async (req) => presentSignal(await getSignal(db, req.member.workspace_id, req.params.id)),
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
      errors: ['name_taken', 'unclear_description', 'builtin_signal'],
      extension,
    }),
    (req) => updateSignal(deps, req.member.workspace_id, req.params.id, req.body),
  )

  app.delete(
    '/signals/:id',
    op('deleteSignal', {
      shared: true,
      tag,
      summary: 'Delete a custom signal',
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

  app.get(
    '/signals/:id/examples',
    op('listSignalExamples', {
      tag,
      summary: 'List the sentences marked right or wrong for a signal',
      params: SignalParams,
      data: Type.Array(SignalExample),
      extension,
    }),
    (req) => listSignalExamples(deps, req.member.workspace_id, req.params.id),
  )

  app.post(
    '/signals/:id/examples',
    op('markSignalExample', {
      shared: true,
      tag,
      summary: 'Mark a sentence as right or wrong for a custom signal',
      description: `A signal has at most ${MAX_EXAMPLES}. They affect documents read from then on.`,
      params: SignalParams,
      body: MarkExample,
      data: SignalExample,
      status: [201],
      errors: ['builtin_signal'],
      extension,
    }),
    (req) => markExample(deps, req.member, req.params.id, req.body),
  )

  app.delete(
    '/signals/:id/examples/:example_id',
    op('deleteSignalExample', {
      shared: true,
      tag,
      summary: 'Remove a marked sentence',
      params: ExampleParams,
      data: Deleted,
      extension,
    }),
    async (req) => {
      const { id, example_id } = req.params
      await deleteExample(db, req.member.workspace_id, id, example_id)
      return deleted(example_id)
    },
  )
}
