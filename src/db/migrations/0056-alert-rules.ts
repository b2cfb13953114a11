import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Which events reach whom, on which channel and when. The notification settings are the default rule of the workspace.
  await sql`
    create table alert_rules (
      workspace_id uuid not null,
      id uuid not null,
      member_id uuid not null,
      name text not null,
      is_enabled boolean not null default true,
      events text[] not null check (cardinality(events) > 0
        and events <@ array['signal.detected', 'account.suggested', 'people.job_changed', 'work_item.done']),
      signals text[] not null default '{}',
      min_score smallint not null default 0 check (min_score between 0 and 100),
      only_mine boolean not null default false,
      tags text[] not null default '{}',
      statuses text[] not null default '{}'
        check (statuses <@ array['suggested', 'active', 'rejected', 'unqualified', 'new']),
      icp_tiers text[] not null default '{}' check (icp_tiers <@ array['A', 'B', 'C']),
      recipient text not null check (recipient in ('owner', 'member', 'channel')),
      to_member_id uuid,
      channel text not null check (channel in ('email', 'chat_dm', 'chat', 'teams', 'webhook')),
      chat_channel text check (chat_channel <> ''),
      destination_id uuid,
      teams_url_sealed bytea,
      teams_url_masked text,
      schedule text not null default 'at_once' check (schedule in ('at_once', 'weekdays', 'mondays')),
      hour smallint not null default 8 check (hour between 0 and 23),
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, id),
      foreign key (workspace_id, member_id) references members (workspace_id, id) on delete cascade,
      foreign key (workspace_id, to_member_id) references members (workspace_id, id) on delete cascade,
      foreign key (workspace_id, destination_id) references webhook_destinations (workspace_id, id) on delete cascade,
      check ((channel in ('email', 'chat_dm')) = (recipient <> 'channel')),
      check ((recipient = 'member') = (to_member_id is not null)),
      check ((channel = 'chat') = (chat_channel is not null)),
      check ((channel = 'webhook') = (destination_id is not null)),
      check ((channel = 'teams') = (teams_url_sealed is not null)),
      check ((teams_url_sealed is null) = (teams_url_masked is null)),
      check (channel <> 'webhook' or schedule = 'at_once'),
      check (channel = 'webhook' or not 'work_item.done' = any (events)),
      check (recipient <> 'channel' or not only_mine)
    )`.execute(db)
  await sql`create index alert_rules_member on alert_rules (workspace_id, member_id)`.execute(db)
  await sql`create index alert_rules_to_member on alert_rules (workspace_id, to_member_id)
    where to_member_id is not null`.execute(db)
  await sql`create index alert_rules_destination on alert_rules (workspace_id, destination_id)
    where destination_id is not null`.execute(db)

  // Members who unsubscribed from a rule that also reaches others.
  await sql`
    create table alert_rule_opt_outs (
      workspace_id uuid not null,
      rule_id uuid not null,
      member_id uuid not null,
      primary key (workspace_id, rule_id, member_id),
      foreign key (workspace_id, rule_id) references alert_rules (workspace_id, id) on delete cascade,
      foreign key (workspace_id, member_id) references members (workspace_id, id) on delete cascade
    )`.execute(db)
  await sql`create index alert_rule_opt_outs_member on alert_rule_opt_outs (workspace_id, member_id)`.execute(db)

  // An alert belongs to one receiver: a member, a shared place of a rule, or the places of the notification settings.
  await sql`alter table alerts
    add rule_id uuid,
    add member_id uuid,
    add foreign key (workspace_id, rule_id) references alert_rules (workspace_id, id) on delete cascade,
    add foreign key (workspace_id, member_id) references members (workspace_id, id) on delete cascade,
    add constraint alerts_rule_check check (rule_id is not null or (member_id is null and type <> 'digest')),
    drop constraint alerts_type_check,
    drop constraint alerts_check,
    add constraint alerts_type_check check
      (type in ('signal.detected', 'account.suggested', 'people.job_changed', 'work_item.done', 'digest')),
    add constraint alerts_check check ((type in ('account.suggested', 'digest')) = (account_id is null))`.execute(db)
  await sql`drop index alerts_open`.execute(db)
  await sql`create unique index alerts_open on alerts (workspace_id, type, account_id, run_id, rule_id, member_id)
    nulls not distinct where is_open`.execute(db)
  await sql`create index alerts_rule on alerts (workspace_id, rule_id) where rule_id is not null`.execute(db)
  await sql`create index alerts_member on alerts (workspace_id, member_id) where member_id is not null`.execute(db)

  // The key guarantees that a record reaches a receiver once, however many rules match it.
  await sql`alter table alert_items add receiver text not null default 'default'`.execute(db)
  await sql`alter table alert_items
    alter receiver drop default,
    drop constraint alert_items_pkey,
    add primary key (workspace_id, receiver, record_id)`.execute(db)

  await sql`alter table alert_deliveries
    drop constraint alert_deliveries_channel_check,
    add constraint alert_deliveries_channel_check
      check (channel in ('email', 'chat_dm', 'chat', 'teams', 'webhook'))`.execute(db)

  // The first local slot of a schedule after an instant. An hour that a clock change skips is the hour after it.
  await sql`
    create function next_alert_slot(instant timestamptz, zone text, schedule text, hour integer) returns timestamptz
    language sql stable parallel safe as $$
      select min(slot)
      from generate_series(0, 8) as days (days)
        cross join lateral (select (instant at time zone zone)::date + days as day) as local
        cross join lateral (select (local.day + make_time(hour, 0, 0)) at time zone zone as slot) as slots
      where slot > instant and extract(isodow from local.day) <= case schedule when 'mondays' then 1 else 5 end
    $$`.execute(db)
}
