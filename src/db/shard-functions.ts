/**
 * The functions of triggers as a distributed database needs them: a trigger runs on a shard, such as `accounts_102010`, where the
 * name of another table stands for all its shards and cannot be used. `colocated_shard` finds the shard of the other table with the
 * same workspaces, which is on the same server. The migrations define the same functions for a database with plain tables.
 */
export const SHARD_FUNCTIONS: readonly string[] = [
  `create or replace function colocated_shard(shard name, wanted text) returns text language sql stable as $$
    select quote_ident(wanted || '_' || other.shardid)
    from pg_dist_shard as own
      join pg_dist_shard as other on other.shardminvalue = own.shardminvalue and other.logicalrelid = wanted::regclass
    where own.shardid = substring(shard from '_([0-9]+)$')::bigint
  $$`,

  trigger(
    'clear_reference',
    '',
    `execute format('update %s set %I = null where workspace_id = $1 and %2$I = $2', colocated_shard(tg_table_name, tg_argv[0]), tg_argv[1])
      using old.workspace_id, old.id;
    return old;`,
  ),

  trigger(
    'raise_list_version',
    `owner uuid;
    least_version bigint := extract(epoch from now()) * 1000;
    versions text := colocated_shard(tg_table_name, 'list_versions');
    count integer;
    is_gone boolean;`,
    `for owner in select distinct workspace_id from changed loop
      execute format('update %1$s set version = greatest(version + 1, $1)
        where workspace_id = $2 and list = $3 and slot = (
          select slot from %1$s where workspace_id = $2 and list = $3 order by slot limit 1 for update skip locked)', versions)
        using least_version, owner, tg_argv[0];
      get diagnostics count = row_count;
      continue when count > 0;
      execute format('select not exists (select from %s where id = $1)', colocated_shard(tg_table_name, 'workspaces'))
        into is_gone using owner;
      continue when tg_op = 'DELETE' and is_gone;
      execute format('insert into %s as kept (workspace_id, list, slot, version)
        values ($1, $2, floor(random() * 32768), $3)
        on conflict (workspace_id, list, slot) do update set version = greatest(kept.version + 1, excluded.version)', versions)
        using owner, tg_argv[0], least_version;
    end loop;
    return null;`,
  ),

  trigger(
    'count_accounts',
    `owner uuid;
    kind integer;
    added bigint;
    least_version bigint := extract(epoch from now()) * 1000;
    kinds refcursor;
    versions text := colocated_shard(tg_table_name, 'list_versions');
    count integer;
    is_gone boolean;`,
    `if tg_op = 'UPDATE' then
      open kinds for
        select workspace_id, array_position(array['suggested', 'active', 'rejected', 'unqualified', 'new'], status)
          + case when is_hot then 5 else 0 end, sum(sign)
        from (select workspace_id, status, is_hot, 1 as sign from changed
          union all select workspace_id, status, is_hot, -1 from replaced) as accounts
        group by 1, 2;
    else
      open kinds for
        select workspace_id, array_position(array['suggested', 'active', 'rejected', 'unqualified', 'new'], status)
          + case when is_hot then 5 else 0 end, case tg_op when 'INSERT' then count(*) else -count(*) end
        from changed group by 1, 2;
    end if;
    loop
      fetch kinds into owner, kind, added;
      exit when not found;
      loop
        execute format('update %1$s set version = greatest(version + 1, $1), counts[$4] = counts[$4] + $5
          where workspace_id = $2 and list = $3 and slot = (
            select slot from %1$s where workspace_id = $2 and list = $3 order by slot limit 1 for update skip locked)', versions)
          using least_version, owner, 'accounts', kind, added;
        get diagnostics count = row_count;
        exit when count > 0;
        execute format('select not exists (select from %s where id = $1)', colocated_shard(tg_table_name, 'workspaces'))
          into is_gone using owner;
        exit when tg_op <> 'INSERT' and is_gone;
        execute format($sql$insert into %s (workspace_id, list, slot, version, counts)
          values ($1, 'accounts', floor(random() * 32768), $2, array_fill(0, array[10])) on conflict do nothing$sql$, versions)
          using owner, least_version;
      end loop;
    end loop;
    return null;`,
  ),

  trigger(
    'carry_erasure_scopes',
    '',
    `execute format('insert into %1$s (workspace_id, company, account_id, name)
      select $1, $2, scope.account_id, max(scope.name) from %1$s as scope
      where scope.workspace_id = $1 and (scope.account_id = $3 or scope.company = $4)
      group by scope.account_id
      on conflict do nothing', colocated_shard(tg_table_name, 'erasure_scopes'))
      using new.workspace_id, erasure_company(new.domain, new.name), new.id, erasure_company(old.domain, old.name);
    return null;`,
  ),

  trigger(
    'copy_account_to_work_items',
    '',
    `execute format('update %s set owner_id = $1, account_status = $2 where workspace_id = $3 and account_id = $4',
      colocated_shard(tg_table_name, 'work_items'))
      using new.owner_id, new.status, new.workspace_id, new.id;
    return null;`,
  ),

  trigger(
    'set_source_names',
    '',
    `if tg_op = 'INSERT' or new.evidence <> old.evidence then
      execute format($sql$
        select coalesce(array_agg(distinct origin order by origin), '{}')
        from jsonb_array_elements($3) as proof
          join %s as accounts on accounts.workspace_id = $1 and accounts.id = $2
          left join %s as documents on documents.workspace_id = $1 and documents.account_id = $2
            and md5(documents.url) = md5(proof ->> 'source_url'),
          substring(proof ->> 'source_url' from '^https?://(?:www[.])?([^/:?#]+)') as host,
          coalesce(documents.source, case when host = domain or right(host, length(domain) + 1) = '.' || domain
            then 'website' else host end) as origin
        where origin is not null
      $sql$, colocated_shard(tg_table_name, 'accounts'), colocated_shard(tg_table_name, 'documents'))
        into new.source_names using new.workspace_id, new.account_id, new.evidence;
    end if;
    return new;`,
  ),

  trigger(
    'lower_first_position',
    '',
    `execute format('update %s set first_position = $1 where workspace_id = $2 and id = $3 and first_position > $1',
      colocated_shard(tg_table_name, 'company_facets'))
      using new.position, new.workspace_id, new.facet_id;
    return null;`,
  ),

  trigger(
    'raise_erasures',
    '',
    `execute format('update %s
      set erasures = greatest(erasures + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
      where id in (select workspace_id from added)', colocated_shard(tg_table_name, 'workspaces'));
    return null;`,
  ),

  trigger(
    'begin_audit_chain',
    '',
    `execute format('insert into %s (workspace_id) values ($1)', colocated_shard(tg_table_name, 'audit_heads')) using new.id;
    return null;`,
  ),

  trigger(
    'chain_audit_entry',
    `head record;
    heads text := colocated_shard(tg_table_name, 'audit_heads');`,
    `execute format('select * from %s where workspace_id = $1 for no key update', heads) into strict head
      using new.workspace_id;
    new.seq = head.seq + 1;
    new.prev_hash = head.hash;
    new.salt = case when new.personal is not null then uuid_send(gen_random_uuid()) end;
    new.personal_digest = sha256(coalesce(new.salt || convert_to(new.personal::text, 'UTF8'), ''));
    new.hash = sha256(new.prev_hash || convert_to(audit_text(new::text::audit_entries), 'UTF8') || new.personal_digest);
    execute format('update %s set seq = $1, hash = $2 where workspace_id = $3', heads)
      using new.seq, new.hash, new.workspace_id;
    return new;`,
  ),

  trigger(
    'guard_audit_entry',
    'is_kept boolean;',
    `if tg_op = 'UPDATE' and new.personal is null and new.salt is null
        and to_jsonb(new) - 'personal' - 'salt' = to_jsonb(old) - 'personal' - 'salt' then
      return new;
    end if;
    if tg_op = 'DELETE' then
      execute format('select exists (select from %s where workspace_id = $1 and anchor_seq < $2)',
        colocated_shard(tg_table_name, 'audit_heads')) into is_kept using old.workspace_id, old.seq;
      if not is_kept then
        return old;
      end if;
    end if;
    raise exception 'audit entries cannot be changed or deleted' using errcode = 'restrict_violation';`,
  ),

  trigger(
    'guard_audit_head',
    `entries text := colocated_shard(tg_table_name, 'audit_entries');
    is_kept boolean;`,
    `if tg_op = 'DELETE' then
      execute format('select exists (select from %s where id = $1)', colocated_shard(tg_table_name, 'workspaces'))
        into is_kept using old.workspace_id;
      if not is_kept then
        return old;
      end if;
    end if;
    if tg_op = 'UPDATE' and (new.workspace_id, new.seq, new.hash) = (old.workspace_id, old.seq, old.hash)
        and new.anchor_seq > old.anchor_seq then
      execute format($sql$select exists (select from %s where workspace_id = $1 and seq > $2 and seq <= $3
        and at >= now() - interval '1 day')$sql$, entries)
        into is_kept using new.workspace_id, old.anchor_seq, new.anchor_seq;
      if not is_kept then
        execute format('select at from %s where workspace_id = $1 and seq = $2 and hash = $3', entries)
          into strict new.anchor_at using new.workspace_id, new.anchor_seq, new.anchor_hash;
        return new;
      end if;
    end if;
    raise exception 'the ends of the audit log cannot be moved or deleted' using errcode = 'restrict_violation';`,
  ),

  trigger(
    'forget_audited_people',
    '',
    `execute format($sql$update %s as entry set personal = null, salt = null from gone
      where entry.workspace_id = gone.workspace_id and personal ? 'person_id' and personal ->> 'person_id' = gone.id::text$sql$,
      colocated_shard(tg_table_name, 'audit_entries'));
    execute format('update %s as pending set person_id = null, before = null from gone
      where pending.workspace_id = gone.workspace_id and pending.person_id = gone.id::text',
      colocated_shard(tg_table_name, 'audit_pending'));
    return null;`,
  ),
]

function trigger(name: string, declarations: string, body: string): string {
  return `create or replace function ${name}() returns trigger language plpgsql as $trigger$
  declare
    ${declarations}
  begin
    ${body}
  end $trigger$`
}
