import { op, type Routes } from '../../http/operation.ts'
import { IdParams } from '../../http/schema.ts'
import { ownAccount } from '../accounts/own.ts'
import { addRelation, changeRegistration, changeRelation, readStructure, removeRelation } from './change.ts'
import * as schema from './schema.ts'

const tag = 'Accounts'
const extension = true

export const accountRelationRoutes: Routes = (app, deps) => {
  app.get(
    '/accounts/:id/relations',
    op('getCompanyStructure', {
      tag,
      summary: 'Read the legal names, parents, subsidiaries, brands and former names of an account',
      description: 'Scans find them in company registers and on the website. Rejected ones are included.',
      params: IdParams,
      data: schema.CompanyStructure,
      extension,
    }),
    (req) => readStructure(deps, req.member.workspace_id, req.params.id),
  )

  app.post(
    '/accounts/:id/relations',
    op('addCompanyRelation', {
      tag,
      summary: 'Add a parent, subsidiary, brand or former name',
      params: IdParams,
      body: schema.AddRelation,
      data: schema.CompanyRelation,
      status: [201],
      errors: ['name_taken'],
      allow: ownAccount,
      extension,
    }),
    (req) => addRelation(deps, req.member, req.params.id, req.body),
  )

  app.patch(
    '/accounts/:id/relations/:relation_id',
    op('updateCompanyRelation', {
      tag,
      summary: 'Correct, reject or restore a relation',
      description: 'Research does not overwrite a relation that a member has changed.',
      params: schema.RelationParams,
      body: schema.UpdateRelation,
      data: schema.CompanyRelation,
      errors: ['name_taken'],
      allow: ownAccount,
      extension,
    }),
    (req) => changeRelation(deps, req.member, req.params.id, req.params.relation_id, req.body),
  )

  app.delete(
    '/accounts/:id/relations/:relation_id',
    op('removeCompanyRelation', {
      tag,
      summary: 'Delete a relation that a member added, or reject one that research found',
      params: schema.RelationParams,
      data: schema.RelationRemoved,
      allow: ownAccount,
      extension,
    }),
    (req) => removeRelation(deps, req.member, req.params.id, req.params.relation_id),
  )

  app.patch(
    '/accounts/:id/registrations/:register_id',
    op('updateAccountRegistration', {
      tag,
      summary: 'Reject or restore the register record of an account',
      description:
        'With the record, the relations that its register reported are removed, except for those that a member has changed. The next scan reads those of a restored record again.',
      params: schema.RegistrationParams,
      body: schema.UpdateRegistration,
      data: schema.AccountRegistration,
      allow: ownAccount,
      extension,
    }),
    (req) => changeRegistration(deps, req.member, req.params.id, req.params.register_id, req.body.status),
  )
}
