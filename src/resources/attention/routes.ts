import { Type } from 'typebox'
import { op, type Routes } from '../../http/operation.ts'
import { collectAttention } from './collect.ts'
import { Attention } from './schema.ts'

export const attentionRoutes: Routes = (app, deps) => {
  app.get(
    '/attention',
    op('listAttention', {
      tag: 'Integrations',
      summary: 'List problems and what to do about them',
      data: Type.Array(Attention),
      extension: true,
    }),
    (req) => collectAttention(deps, req.member),
  )
}
