import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // One row for each workspace: the end of its chain, and the last entry that retention has removed, where the chain begins.
  await sql`
    create table audit_heads (
      workspace_id uuid primary key references workspaces (id) on delete cascade,
      seq bigint not null default 0,
      hash bytea not null default decode(repeat('00', 32), 'hex'),
      anchor_seq bigint not null default 0,
      anchor_hash bytea not null default decode(repeat('00', 32), 'hex'),
      anchor_at timestamptz(3)
    ) with (fillfactor = 50)`.execute(db)
  await sql`insert into audit_heads (workspace_id) select id from workspaces`.execute(db)
  await sql`
    create function begin_audit_chain() returns trigger language plpgsql as $$
    begin
      insert into audit_heads (workspace_id) values (new.id);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger begin_audit_chain after insert on workspaces
    for each row execute function begin_audit_chain()`.execute(db)

  // Ids of members, keys and sessions have no foreign keys: an entry outlives them.
  await sql`
    create table audit_entries (
      workspace_id uuid not null references audit_heads (workspace_id) on delete cascade,
      seq bigint not null,
      id uuid not null,
      at timestamptz(3) not null,
      actor text not null,
      member_id uuid,
      key_id uuid,
      session_id uuid,
      action text not null,
      target_type text,
      target_id text check (target_id !~ '[[:cntrl:]]'),
      outcome text not null check (outcome in ('ok', 'refused', 'failed', 'unknown')),
      status integer,
      error_code text,
      request_id text check (request_id !~ '[[:cntrl:]]'),
      changes jsonb not null default '{}',
      personal jsonb,
      salt bytea,
      personal_digest bytea not null,
      prev_hash bytea not null,
      hash bytea not null,
      primary key (workspace_id, seq)
    )`.execute(db)
  await sql`create index audit_entries_at on audit_entries (workspace_id, at)`.execute(db)
  await sql`create index audit_entries_member on audit_entries (workspace_id, member_id, seq)`.execute(db)
  await sql`create index audit_entries_action on audit_entries (workspace_id, action, seq)`.execute(db)
  // Of the actors and outcomes, only the rare ones are searched for in many entries.
  await sql`
    create index audit_entries_actor on audit_entries (workspace_id, actor, seq)
    where actor <> 'key' and actor <> 'session'`.execute(db)
  await sql`
    create index audit_entries_outcome on audit_entries (workspace_id, outcome, seq) where outcome <> 'ok'`.execute(db)
  await sql`
    create index audit_entries_target on audit_entries (workspace_id, target_id, seq) where target_id is not null`.execute(
    db,
  )
  await sql`
    create index audit_entries_person on audit_entries (workspace_id, (personal ->> 'person_id'), seq)
    where personal ? 'person_id'`.execute(db)

  // The fixed part of an entry, as it is hashed. A verification reads it and computes the hashes itself.
  await sql`
    create function audit_text(entry audit_entries) returns text language sql stable as $$
      select array_to_string(array[
        entry.workspace_id::text, entry.seq::text, entry.id::text, extract(epoch from entry.at)::text, entry.actor,
        entry.member_id::text, entry.key_id::text, entry.session_id::text, entry.action, entry.target_type,
        entry.target_id, entry.outcome, entry.status::text, entry.error_code, entry.request_id, entry.changes::text
      ], chr(10), '')
    $$`.execute(db)
  // Adds an entry to the chain of its workspace. The personal part is in the hash by a salted digest only, so that an erasure
  // can delete it with its salt.
  await sql`
    create function chain_audit_entry() returns trigger language plpgsql as $$
    declare
      head audit_heads;
    begin
      select * into strict head from audit_heads where workspace_id = new.workspace_id for no key update;
      new.seq = head.seq + 1;
      new.prev_hash = head.hash;
      new.salt = case when new.personal is not null then uuid_send(gen_random_uuid()) end;
      new.personal_digest = sha256(coalesce(new.salt || convert_to(new.personal::text, 'UTF8'), ''));
      new.hash = sha256(new.prev_hash || convert_to(audit_text(new), 'UTF8') || new.personal_digest);
      update audit_heads set seq = new.seq, hash = new.hash where workspace_id = new.workspace_id;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger chain_audit_entry before insert on audit_entries
    for each row execute function chain_audit_entry()`.execute(db)

  // Only two changes are allowed: an erasure empties the personal part, and retention deletes entries up to the anchor.
  await sql`
    create function guard_audit_entry() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and new.personal is null and new.salt is null
          and to_jsonb(new) - 'personal' - 'salt' = to_jsonb(old) - 'personal' - 'salt' then
        return new;
      end if;
      if tg_op = 'DELETE' and not exists (
          select from audit_heads where workspace_id = old.workspace_id and anchor_seq < old.seq) then
        return old;
      end if;
      raise exception 'audit entries cannot be changed or deleted' using errcode = 'restrict_violation';
    end $$`.execute(db)
  await sql`
    create trigger guard_audit_entry before update or delete on audit_entries
    for each row execute function guard_audit_entry()`.execute(db)
  await sql`
    create trigger guard_audit_entries before truncate on audit_entries
    for each statement execute function guard_audit_entry()`.execute(db)

  // Otherwise an end or a start that was moved would hide that entries are missing. The end moves with a new entry only; the
  // start moves forward only, over entries older than the shortest retention; both go with the workspace.
  await sql`
    create function guard_audit_head() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and not exists (select from workspaces where id = old.workspace_id) then
        return old;
      end if;
      if tg_op = 'UPDATE' and (new.workspace_id, new.seq, new.hash) = (old.workspace_id, old.seq, old.hash)
          and new.anchor_seq > old.anchor_seq and not exists (
            select from audit_entries
            where workspace_id = new.workspace_id and seq > old.anchor_seq and seq <= new.anchor_seq
              and at >= now() - interval '1 day') then
        select at into strict new.anchor_at from audit_entries
        where workspace_id = new.workspace_id and seq = new.anchor_seq and hash = new.anchor_hash;
        return new;
      end if;
      raise exception 'the ends of the audit log cannot be moved or deleted' using errcode = 'restrict_violation';
    end $$`.execute(db)
  await sql`
    create trigger guard_audit_head before delete on audit_heads
    for each row execute function guard_audit_head()`.execute(db)
  // The condition costs each entry less than a call of the function.
  await sql`
    create trigger guard_moved_audit_head before update on audit_heads for each row
    when (pg_trigger_depth() = 0 or new.workspace_id <> old.workspace_id or new.seq <> old.seq + 1
      or new.anchor_seq <> old.anchor_seq or new.anchor_hash <> old.anchor_hash)
    execute function guard_audit_head()`.execute(db)

  // Changes that are being made. A row that is left over belongs to a process that died.
  await sql`
    create table audit_pending (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      id uuid not null,
      began_at timestamptz(3) not null default now(),
      alive_at timestamptz(3) not null default now(),
      actor text not null,
      member_id uuid,
      key_id uuid,
      session_id uuid,
      action text not null,
      target_type text,
      target_id text,
      person_id text,
      request_id text,
      personal jsonb not null,
      before jsonb,
      primary key (workspace_id, id)
    ) with (fillfactor = 50)`.execute(db)

  // A long value is shortened. In PL/pgSQL, because PostgreSQL does not inline such a function in SQL, and a call of that is slow.
  await sql`
    create function audit_value(value jsonb, is_shown boolean) returns jsonb language plpgsql immutable as $$
    begin
      return case
        when value is null or value = 'null' then null
        when not is_shown then to_jsonb('[masked]'::text)
        when jsonb_typeof(value) = 'string' then to_jsonb(left(value #>> '{}', 200))
        when length(value::text) > 1000 then to_jsonb('[long]'::text)
        else value end;
    end $$`.execute(db)
  // Replaces the pending row of a change by its entry; false if it is gone. The entry names the fields that differ, with values
  // only of those in `shown`; of an added or removed record, no other field is named. A person who was deleted meanwhile is not
  // named; another one cannot be deleted before their entry is visible to the erasure, which locks first the person, then the
  // pending row. Without sequential scans: the table of pending rows is nearly empty when the plan is made, but full of dead
  // rows later.
  await sql`
    create function complete_audit_change(workspace uuid, entry uuid, person uuid, outcome text, status integer,
      error_code text, added_id text, after jsonb, shown text[], details jsonb)
    returns boolean language plpgsql set enable_seqscan = off as $$
    declare
      pending audit_pending;
      changes jsonb = '{}';
    begin
      if person is not null then
        select id into person from people where workspace_id = workspace and id = person for key share;
      end if;
      delete from audit_pending as row where row.workspace_id = workspace and row.id = entry returning * into pending;
      if not found then
        return false;
      end if;
      if outcome = 'ok' and (pending.before is not null or after is not null) then
        select coalesce(jsonb_object_agg(field, jsonb_build_object(
          'before', audit_value(pending.before -> field, field = any(shown)),
          'after', audit_value(after -> field, field = any(shown)))), '{}')
        into changes
        from jsonb_object_keys(coalesce(pending.before, '{}') || coalesce(after, '{}')) as field
        where nullif(pending.before -> field, 'null') is distinct from nullif(after -> field, 'null')
          and field <> 'label' and (field = any(shown) or pending.before is not null and after is not null);
      end if;
      insert into audit_entries (workspace_id, id, actor, member_id, key_id, session_id, action, target_type, target_id,
        request_id, at, outcome, status, error_code, changes, personal)
      values (workspace, entry, pending.actor, pending.member_id, pending.key_id, pending.session_id, pending.action,
        pending.target_type, coalesce(pending.target_id, added_id), pending.request_id, pending.began_at, outcome, status,
        error_code, changes || details, jsonb_strip_nulls(pending.personal || jsonb_build_object(
          'person_id', person, 'target_name', coalesce(pending.before ->> 'label', after ->> 'label'))));
      return true;
    end $$`.execute(db)

  // However a person is deleted, entries about them keep neither the id nor anything else that is personal, and changes that
  // are being made neither the id nor the fields before.
  await sql`
    create function forget_audited_people() returns trigger language plpgsql as $$
    begin
      update audit_entries set personal = null, salt = null
      from gone
      where audit_entries.workspace_id = gone.workspace_id and personal ? 'person_id'
        and personal ->> 'person_id' = gone.id::text;
      update audit_pending set person_id = null, before = null
      from gone
      where audit_pending.workspace_id = gone.workspace_id and audit_pending.person_id = gone.id::text;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger forget_audited_people after delete on people referencing old table as gone
    for each statement execute function forget_audited_people()`.execute(db)

  // The destination that receives the entries of a workspace, and the last entry that it has received. A stream that was
  // turned off (destination_id is null) still sends the entries until its end: the change of settings after ends_after. A
  // destination that receives entries cannot be deleted.
  await sql`
    create table audit_streams (
      workspace_id uuid primary key references workspaces (id) on delete cascade,
      destination_id uuid,
      sends_to uuid not null,
      seq bigint not null,
      ends_after bigint check ((ends_after is null) = (destination_id is not null)),
      failures integer not null default 0,
      next_at timestamptz(3) not null default now(),
      problem text,
      sent_at timestamptz(3),
      foreign key (workspace_id, sends_to) references webhook_destinations (workspace_id, id)
    )`.execute(db)
}
