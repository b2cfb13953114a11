import { Type } from 'typebox'
import { VARIABLES } from '../../config/variables.ts'
import { op, type Routes } from '../../http/operation.ts'
import { AppError } from '../../shared/errors.ts'
import { findInstallation } from '../workspaces/store.ts'
import { ServerSetting } from './schema.ts'

const variables = Object.entries(VARIABLES)

export const serverSettingRoutes: Routes = (app, { db, config: { given } }) => {
  app.get(
    '/settings/server',
    op('listServerSettings', {
      tag: 'Integrations',
      summary: 'List the settings that the environment of this process gives',
      description:
        'They cannot be changed over the API. Only for admins of the first workspace, because they apply to the whole installation.',
      data: Type.Array(ServerSetting),
      admin: true,
      extension: true,
    }),
    async ({ member }) => {
      if ((await findInstallation(db))?.workspace_id !== member.workspace_id) {
        throw new AppError('forbidden', 'Only admins of the first workspace may read the settings of the server.')
      }
      return variables.flatMap(([name, { description, isSecret }]) => {
        const value = given.get(name)
        return value === undefined
          ? []
          : { name, description, value: value && hideCredentials(value), is_secret: isSecret }
      })
    },
  )
}

/** URLs without their user names, passwords, queries and fragments, any of which may contain a token. */
const hideCredentials = (text: string): string =>
  text.replaceAll(/(\w:\/\/)(?:[^/\s]*@)?([^\s?#,]*)([?#]\S*)?/g, (_url, scheme, rest, hidden) =>
    hidden ? `${scheme}${rest}…` : `${scheme}${rest}`,
  )
