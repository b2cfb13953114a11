import { Conditions } from '../../db/conditions.ts'
import type { Db } from '../../db/connect.ts'
import { emptyPage, type ListPage, type ListReader, readListPage, readPageRows } from '../../db/page-query.ts'
import { likePattern } from '../../engine/text/fold.ts'
import { isId } from '../../shared/ids.ts'
import type { Viewer } from '../../shared/member.ts'
import { hasRelationship } from '../accounts/crm-store.ts'
import type { FeedFilters, FeedQuery } from './schema.ts'
import { DETECTION_COLUMNS, draftFields, feedbackOf } from './store.ts'

const TABLE = 'signal_detections'
const JOIN = `join accounts on accounts.workspace_id = ${TABLE}.workspace_id and accounts.id = ${TABLE}.account_id`
const ACCOUNT = `json_build_object('id', accounts.id, 'name', accounts.name, 'domain', accounts.domain,
  'logo_url', accounts.logo_url, 'status', accounts.status, 'score', accounts.score, 'is_hot', accounts.is_hot,
  'owner_id', accounts.owner_id, 'tags', accounts.tags, 'why_now_md', accounts.why_now_md)`

/** A page of the detections over all accounts, the latest first, as JSON text. */
export async function listFeed(db: Db, viewer: Viewer, filters: FeedQuery, reader: ListReader): Promise<ListPage> {
  const where = feedConditions(viewer.workspace_id, filters)
  if (!where) return emptyPage(filters)
  const query = {
    lists: ['accounts' as const, 'detections' as const],
    columns: DETECTION_COLUMNS,
    // The visibility of people decides about drafts.
    ...(viewer.scoped_to === null ? {} : { shownFrom: ['people' as const] }),
    computed: { ...draftFields(TABLE, viewer), feedback: feedbackOf(TABLE), account: ACCOUNT },
    table: TABLE,
    join: JOIN,
    where,
    orderBy: `${TABLE}.created_at desc, ${TABLE}.id desc`,
  }
  return readListPage(db, query, filters, reader)
}

export type WeekCount = { week: string; signal_id: string; count: number }

/** The number of events per signal and week since a day; weeks start on Monday. */
export async function countByWeek(
  db: Db,
  workspaceId: string,
  filters: FeedFilters,
  since: string,
): Promise<WeekCount[]> {
  const where = feedConditions(workspaceId, filters)
  if (!where) return []
  where.and(`${TABLE}.detected_at >= ${where.value(since)}::date`)
  const text = `select date_trunc('week', ${TABLE}.detected_at)::date as week, ${TABLE}.signal_id, count(*)::int as count
    from ${TABLE} ${JOIN} where ${where.sql} group by 1, 2 order by 1, 2`
  return readPageRows<WeekCount>(db, text, where)
}

/** null: a filter has an impossible value, so nothing matches. */
function feedConditions(
  workspaceId: string,
  { signal_id, owner_id, tag, hot, status, relationship, search, since }: FeedFilters,
): Conditions | null {
  if (owner_id !== undefined && !isId(owner_id)) return null
  const where = new Conditions(TABLE, workspaceId)
  where.and(`${TABLE}.is_shown`)
  // Detections of disabled signals are left out, unless requested.
  if (signal_id === undefined) {
    where.and(`${TABLE}.signal_id = any(array(select id from signals where signals.workspace_id = $1 and enabled))`)
  } else where.andSelective(`${TABLE}.signal_id = any(${where.value(signal_id.split(','))}::text[])`)
  if (status) where.and(`accounts.status = ${where.value(status)}`)
  else where.and(`accounts.status not in ('rejected', 'unqualified')`)
  if (owner_id) where.andSelective(`accounts.owner_id = ${where.value(owner_id)}`)
  if (tag !== undefined) where.andSelective(`accounts.tags @> array[${where.value(tag)}::text]`)
  if (hot !== undefined) where.and(`accounts.is_hot = ${where.value(hot)}`)
  if (relationship) where.andSelective(hasRelationship(relationship))
  if (search) where.andSelective(`accounts.search_text like ${where.value(likePattern(search))}`)
  if (since) where.and(`${TABLE}.created_at > ${where.value(since)}`)
  return where
}
