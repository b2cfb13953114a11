import { Type } from 'typebox'
import { op, type Routes } from '../../http/operation.ts'
import { CrmParams } from '../../resources/crm-sync/schema.ts'
import type { ErrorCode } from '../../shared/errors.ts'
import { viewerOf } from '../../shared/member.ts'
import { changeMapping, previewPush, readMapping } from './mapping.ts'
import { CrmMapping, mappingExample, PreviewCrmPush, PreviewedRecord, SetCrmMapping } from './mapping-schema.ts'

const common = { tag: 'Integrations', admin: true, extension: true, params: CrmParams } as const
const errors: ErrorCode[] = ['crm_not_connected', 'credential_rejected']

export const crmMappingRoutes: Routes = (app, deps) => {
  app.get(
    '/crm/mapping/:provider',
    op('getCrmMapping', {
      ...common,
      summary: 'Show which fields of a CRM a push writes, and which it could write',
      data: CrmMapping,
      errors,
    }),
    (req) => readMapping(deps, req.member.workspace_id, req.params.provider),
  )

  app.put(
    '/crm/mapping/:provider',
    op('setCrmMapping', {
      ...common,
      summary: 'Choose the fields of a CRM that a push writes',
      description:
        'Replaces all former choices. A field is written to a field of the same type; fields by which records are found cannot be changed.',
      body: SetCrmMapping,
      data: CrmMapping,
      example: mappingExample,
      errors: [...errors, 'invalid_transition'],
    }),
    (req) => changeMapping(deps, req.member.workspace_id, req.params.provider, req.body),
  )

  app.post(
    '/crm/mapping/:provider/dry-run',
    op('previewCrmPush', {
      ...common,
      summary: 'Show what a push would do with ten records, without writing anything',
      description:
        'The ten accounts with the latest findings, or the ten newest people with an email. The CRM may still refuse a value.',
      body: PreviewCrmPush,
      data: Type.Array(PreviewedRecord),
      errors,
      changesNothing: true,
    }),
    ({ member, params, body }) => previewPush(deps, viewerOf(member), params.provider, body.object, body.mapping),
  )
}
