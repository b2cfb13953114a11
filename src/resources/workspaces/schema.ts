import { type Static, Type } from 'typebox'
import { Body, Rec } from '../../http/schema.ts'

const lost_deal_months = Type.Integer({
  minimum: 1,
  maximum: 60,
  description: 'After how many months a deal that your CRM marks as lost comes back in Today',
})
const scoped_members_claim = Type.Boolean({
  description:
    'Whether a member with scoped visibility who activates an account without an owner becomes its owner; false: they may not activate it',
})
const example = { scoped_members_claim: true, lost_deal_months: 9 }

export const WorkspaceSettings = Rec('WorkspaceSettings', { scoped_members_claim, lost_deal_months }, example)
export const SetWorkspaceSettings = Body(
  'SetWorkspaceSettings',
  { scoped_members_claim: Type.Optional(scoped_members_claim), lost_deal_months: Type.Optional(lost_deal_months) },
  example,
  { minProperties: 1 },
)
export type WorkspaceSettings = Static<typeof WorkspaceSettings>
export type SetWorkspaceSettings = Static<typeof SetWorkspaceSettings>
