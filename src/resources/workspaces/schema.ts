import { type Static, Type } from 'typebox'
import { Body, Rec } from '../../http/schema.ts'

const settings = {
  scoped_members_claim: Type.Boolean({
    description:
      'Whether a member with scoped visibility who activates an account without an owner becomes its owner; false: they may not activate it',
  }),
}
const example = { scoped_members_claim: true }

export const WorkspaceSettings = Rec('WorkspaceSettings', settings, example)
export const SetWorkspaceSettings = Body('SetWorkspaceSettings', settings, example)
export type WorkspaceSettings = Static<typeof SetWorkspaceSettings>
