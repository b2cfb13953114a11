-- The part of Citus that `bellwether distribute` calls, with its refusals, for tests on a PostgreSQL without the extension.
-- Tables are registered as distributed and stay where they are; make_shards() gives each of them one shard.

create table pg_dist_partition (logicalrelid regclass primary key, partkey text not null, colocation text not null);
create table pg_dist_shard (logicalrelid regclass not null, shardid bigint primary key, shardminvalue text not null);
create sequence shard_ids start 102008;

create function create_distributed_table(relation regclass, key text, colocate_with text default 'default') returns void
language plpgsql as $$
declare
  problem text;
begin
  if exists (select from pg_dist_partition where logicalrelid = relation) then
    raise exception 'table "%" is already distributed', relation;
  end if;
  if exists (select from pg_trigger where tgrelid = relation and not tgisinternal)
      and current_setting('citus.enable_unsafe_triggers', true) is distinct from 'on' then
    raise exception 'cannot distribute relation "%" because it has triggers', relation;
  end if;
  select indexrelid::regclass::text into problem from pg_index
  where indrelid = relation and indisunique and not exists (
    select from pg_attribute where attrelid = relation and attname = key and attnum = any(indkey));
  if problem is not null then
    raise exception 'cannot create constraint "%" on "%": unique constraints must contain the partition column', problem, relation;
  end if;
  select conname into problem from pg_constraint where contype = 'f' and relation in (conrelid, confrelid);
  if problem is not null then
    raise exception 'cannot create foreign key constraint "%": the tables are not colocated', problem;
  end if;
  select attname into problem from pg_attribute where attrelid = relation and attidentity <> '' and atttypid <> 'int8'::regtype;
  if problem is not null then
    raise exception 'cannot distribute a table with the identity column "%": it must be of type bigint', problem;
  end if;
  insert into pg_dist_partition values (relation, key, case colocate_with when 'none' then relation::text else colocate_with end);
end $$;

create function create_distributed_function(name regprocedure) returns void language sql as '';
create function truncate_local_data_after_distributing_table(name regclass) returns void language sql as '';

-- A foreign key is between co-located tables, and does not set columns beside the distribution column to null.
create function refuse_foreign_keys() returns event_trigger language plpgsql as $$
declare
  problem text;
begin
  select conname into problem from pg_constraint
    join pg_dist_partition as own on own.logicalrelid = conrelid
    left join pg_dist_partition as target on target.logicalrelid = confrelid
  where contype = 'f' and (confdeltype in ('n', 'd') or target.colocation is distinct from own.colocation);
  if problem is not null then
    raise exception 'cannot create foreign key constraint "%": SET NULL, or tables that are not colocated', problem;
  end if;
end $$;
create event trigger refuse_foreign_keys on ddl_command_end when tag in ('ALTER TABLE') execute function refuse_foreign_keys();

create function make_shards() returns void language plpgsql as $$
declare
  relation regclass;
  definition text;
  shard text;
  id bigint;
begin
  for relation in select logicalrelid from pg_dist_partition loop
    id := nextval('shard_ids');
    shard := relation || '_' || id;
    execute format('create table %I (like %s including all)', shard, relation);
    insert into pg_dist_shard values (relation, id, '-2147483648');
    for definition in select pg_get_triggerdef(oid) from pg_trigger where tgrelid = relation and not tgisinternal loop
      execute replace(definition, ' ON public.' || relation || ' ', format(' ON public.%I ', shard));
    end loop;
  end loop;
end $$;
