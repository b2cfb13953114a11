import { type Kysely, sql } from 'kysely'

/** Findings of this many days become work items when the version with work items is installed. */
const BACKFILL_DAYS = 30

export async function up(db: Kysely<unknown>): Promise<void> {
  // The fit of the last assessment, for ranking and for alert rules.
  await sql`alter table accounts add icp_fit smallint check (icp_fit between 0 and 100)`.execute(db)
  // An IANA name: days and hours of a member are counted in it.
  await sql`alter table members add time_zone text not null default 'UTC'`.execute(db)

  // What happened at an account and needs a decision. An account has at most one that is not done; done ones are kept.
  await sql`
    create table work_items (
      workspace_id uuid not null,
      id uuid not null,
      account_id uuid not null,
      state text not null default 'open' check (state in ('open', 'snoozed', 'done')),
      outcome text check (outcome in ('contacted', 'pushed', 'not_relevant', 'wrong')),
      snoozed_until date,
      wakes_at timestamptz(3),
      note text,
      changed_by uuid,
      changed_at timestamptz(3),
      owner_id uuid,
      account_status text not null,
      act_now real not null default 0 check (act_now between 0 and 100),
      factors jsonb not null default '[]',
      lead_id uuid,
      person_id uuid,
      opened_at timestamptz(3) not null default now(),
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, id),
      foreign key (workspace_id, account_id) references accounts (workspace_id, id) on delete cascade,
      foreign key (workspace_id, person_id) references people (workspace_id, id) on delete set null (person_id),
      foreign key (workspace_id, changed_by) references members (workspace_id, id) on delete set null (changed_by),
      check ((state = 'done') = (outcome is not null)),
      check ((state = 'snoozed') = (snoozed_until is not null)),
      check ((state = 'snoozed') = (wakes_at is not null))
    )`.execute(db)
  await sql`create unique index work_items_current on work_items (workspace_id, account_id) where state <> 'done'`.execute(
    db,
  )
  // An item whose findings are all of signals that are switched off has no lead, and is not listed.
  await sql`create index work_items_queue on work_items (workspace_id, account_status, owner_id, act_now desc, id)
    where state = 'open' and lead_id is not null`.execute(db)
  await sql`create index work_items_account on work_items (workspace_id, account_id, created_at)`.execute(db)
  await sql`create index work_items_changed on work_items (workspace_id, changed_at desc, id) where state = 'done'`.execute(
    db,
  )
  await sql`create index work_items_waking on work_items (wakes_at) where state = 'snoozed'`.execute(db)
  await sql`create index work_items_person on work_items (workspace_id, person_id) where person_id is not null`.execute(
    db,
  )

  // The detections and moves of a work item. The key guarantees that none of them opens a second one.
  await sql`
    create table work_item_events (
      workspace_id uuid not null,
      record_id uuid not null,
      kind text not null check (kind in ('detection', 'move')),
      work_item_id uuid not null,
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, record_id),
      foreign key (workspace_id, work_item_id) references work_items (workspace_id, id) on delete cascade
    )`.execute(db)
  await sql`create index work_item_events_item on work_item_events (workspace_id, work_item_id)`.execute(db)

  // What people did at an account.
  await sql`
    create table account_activities (
      workspace_id uuid not null,
      id uuid not null,
      account_id uuid not null,
      kind text not null,
      member_id uuid,
      person_id uuid,
      work_item_id uuid,
      note text,
      data jsonb not null default '{}',
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, id),
      foreign key (workspace_id, account_id) references accounts (workspace_id, id) on delete cascade,
      foreign key (workspace_id, person_id) references people (workspace_id, id) on delete set null (person_id),
      foreign key (workspace_id, member_id) references members (workspace_id, id) on delete set null (member_id)
    )`.execute(db)
  await sql`create index account_activities_account on account_activities (workspace_id, account_id, created_at desc, id desc)`.execute(
    db,
  )
  await sql`create index account_activities_person on account_activities (workspace_id, person_id)
    where person_id is not null`.execute(db)

  // The queue is read by owner and status in the order of the score, so both are copied into the index.
  await sql`
    create function copy_account_to_work_items() returns trigger language plpgsql as $$
    begin
      update work_items set owner_id = new.owner_id, account_status = new.status
      where workspace_id = new.workspace_id and account_id = new.id;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger copy_account_to_work_items after update of owner_id, status on accounts for each row
    when (old.owner_id is distinct from new.owner_id or old.status is distinct from new.status)
    execute function copy_account_to_work_items()`.execute(db)

  await backfill(db)
}

/** Recent findings of accounts that people work on. The nightly assessment ranks them; until then they have the score. */
async function backfill(db: Kysely<unknown>): Promise<void> {
  await sql`
    with recent as (
      select d.workspace_id, d.account_id, d.id, d.alpha from signal_detections as d
        join accounts on accounts.workspace_id = d.workspace_id and accounts.id = d.account_id
      where d.is_shown and d.signal_present and accounts.status in ('active', 'suggested')
        and d.detected_at > current_date - ${sql.lit(BACKFILL_DAYS)}
    ), lead as (
      select distinct on (workspace_id, account_id) workspace_id, account_id, id from recent
      order by workspace_id, account_id, alpha desc, id
    ), items as (
      insert into work_items (workspace_id, id, account_id, owner_id, account_status, act_now, lead_id)
      select accounts.workspace_id, gen_random_uuid(), accounts.id, owner_id, status, score, lead.id
      from lead join accounts on accounts.workspace_id = lead.workspace_id and accounts.id = lead.account_id
      returning workspace_id, id, account_id
    )
    insert into work_item_events (workspace_id, record_id, kind, work_item_id)
    select recent.workspace_id, recent.id, 'detection', items.id
    from recent join items on items.workspace_id = recent.workspace_id and items.account_id = recent.account_id`.execute(
    db,
  )
}
