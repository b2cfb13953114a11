import { op, type Routes } from '../../http/operation.ts'
import { VERSION } from '../../shared/version.ts'
import { FeedSeen, MarkFeedSeen, Me } from './schema.ts'
import { getMe, markFeedSeen } from './store.ts'

const tag = 'Sessions'

export const meRoutes: Routes = (app, { db }) => {
  app.get(
    '/me',
    op('getMe', { tag, summary: 'Read your own member record and workspace', data: Me, extension: true }),
    async ({ member: { workspace_id, id, read_only, session_id } }) => {
      return { ...(await getMe(db, workspace_id, id)), read_only, session_id, version: VERSION }
    },
  )

  app.put(
    '/me/feed-seen',
    op('markFeedSeen', {
      tag,
      summary: 'Mark the feed as seen up to a time',
      body: MarkFeedSeen,
      data: FeedSeen,
      self: true,
      extension: true,
    }),
    ({ member, body }) => markFeedSeen(db, member.workspace_id, member.id, body.at),
  )
}
