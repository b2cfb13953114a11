import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table alert_rules add column relationships text[] not null default '{}'
      check (relationships <@ array['customer', 'open_deal', 'lost_deal', 'former_customer', 'none'])`.execute(db)

  // After how many months a lost deal is due for another try.
  await sql`
    alter table workspaces add column lost_deal_months smallint not null default 9
      check (lost_deal_months between 1 and 60)`.execute(db)

  // A lost deal that is due opens a work item without a finding.
  await sql`
    alter table work_item_events drop constraint work_item_events_kind_check,
      add constraint work_item_events_kind_check check (kind in ('detection', 'move', 'deal'))`.execute(db)
}
