import { type CheckRights, op, type Routes } from '../../http/operation.ts'
import { IdParams } from '../../http/schema.ts'
import * as schema from '../../resources/people/schema.ts'
import { getPerson } from '../../resources/people/store.ts'
import { viewerOf } from '../../shared/member.ts'
import { revealPhone } from '../phone/reveal-phone.ts'
import { revealEmail } from './reveal-email.ts'

const tag = 'People'
const params = IdParams

/** Throws not_found when the caller may not see the person. */
const seenPerson: CheckRights = ({ db }, { member, params }) => getPerson(db, viewerOf(member), params.id)

export const revealRoutes: Routes = (app, deps) => {
  app.post(
    '/people/:id/email',
    op('revealEmail', {
      tag,
      summary: 'Reveal the verified work email',
      params,
      data: schema.RevealedEmail,
      allow: seenPerson,
    }),
    (req) => revealEmail(deps, viewerOf(req.member), req.params.id, req.member.id),
  )

  app.post(
    '/people/:id/phone',
    op('revealPhone', {
      tag,
      summary: 'Reveal a phone number',
      params,
      data: schema.RevealedPhone,
      allow: seenPerson,
    }),
    (req) => revealPhone(deps, viewerOf(req.member), req.params.id, req.member.id),
  )
}
