import { type Kysely, sql } from 'kysely'

const LEGAL_SUFFIXES =
  'inc incorporated corp corporation co company ltd limited llc plc lp llp gmbh ag sa nv bv se pty pte pvt srl spa ' +
  'sas sarl ab as asa oy oyj kk kg aps ulc pc pllc bhd sdn tbk sro spzoo doo ood eood kft'

export async function up(db: Kysely<unknown>): Promise<void> {
  // One key for all spellings of a company's name: no case, accents, punctuation, leading article or legal form. Whatever is
  // compared by it goes through this one function, so that two sides cannot disagree. It brings the path it was made under: an
  // index over it is also looked at by maintenance, which has none.
  await sql`
    create function company_key(name text) returns text language plpgsql immutable strict parallel safe
      set search_path from current as $$
    declare
      suffixes constant text[] := ${sql.lit(`{${LEGAL_SUFFIXES.split(' ').join(',')}}`)};
      words text[] := regexp_split_to_array(
        trim(regexp_replace(regexp_replace(search_fold(left(name, 300)), '[''’]', '', 'g'),
          '[^a-z0-9\\u0080-\\uffff]+', ' ', 'g')), ' +');
      -- Of how many words the legal form at the end is: "S.A.", "A/S" and "Sp. z o.o." arrive as letters.
      length integer := 1;
    begin
      words := array_remove(words, 'and');
      if cardinality(words) > 1 and words[1] = 'the' then words := words[2:]; end if;
      while length <= 4 and length < cardinality(words) loop
        exit when length > 1 and greatest(char_length(words[cardinality(words)]),
          char_length(words[cardinality(words) - length + 1])) > 2;
        if array_to_string(words[cardinality(words) - length + 1:], '') = any (suffixes) then
          words := words[:cardinality(words) - length];
          length := 1;
        else
          length := length + 1;
        end if;
      end loop;
      return array_to_string(words, ' ');
    end $$`.execute(db)

  // Over all workspaces: what a stream tells is looked up once for everybody.
  await sql`create index accounts_company_key on accounts (company_key(name)) where status = 'active'`.execute(db)
  await sql`create index accounts_active_domain on accounts (domain) where status = 'active' and domain is not null`.execute(
    db,
  )

  // What each stream consists of, and where its next reading goes on.
  await sql`
    create table stream_feeds (
      stream text not null,
      feed text not null,
      state jsonb,
      due_at timestamptz(3) not null default now(),
      read_at timestamptz(3),
      -- Why the last reading came to nothing, for a person; null when it did not.
      failure text,
      primary key (stream, feed)
    )`.execute(db)

  // What the streams told, once for the whole installation.
  await sql`
    create table stream_items (
      id bigint generated always as identity primary key,
      stream text not null,
      key text not null,
      company text not null,
      company_key text not null generated always as (company_key(company)) stored,
      domain text,
      url text not null,
      kind text not null check (kind in ('page', 'article', 'posting', 'filing', 'mention')),
      title text,
      text text not null,
      published_date date not null,
      language text,
      tells jsonb not null default '[]',
      about text[] not null default '{}',
      hints jsonb not null default '{"named": [], "witnesses": []}',
      ref jsonb,
      -- The whole document is here, or there is no more than this.
      is_whole boolean not null,
      -- How often it could not be opened.
      failures smallint not null default 0,
      -- Found to be about nobody that anything is sold to.
      is_dropped boolean not null default false,
      found_at timestamptz(3) not null default now(),
      -- When it was looked up whose it is.
      matched_at timestamptz(3),
      unique (stream, key)
    )`.execute(db)
  await sql`create index stream_items_company on stream_items (company_key, published_date)`.execute(db)
  await sql`create index stream_items_published on stream_items (stream, published_date desc, id desc)`.execute(db)
  await sql`create index stream_items_unmatched on stream_items (id) where matched_at is null`.execute(db)
  await sql`create index stream_items_found on stream_items (found_at)`.execute(db)

  // What a document proves by its kind alone.
  await sql`alter table documents add column tells jsonb`.execute(db)
}
