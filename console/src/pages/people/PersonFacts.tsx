import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { PageLink, SafeLink } from '../../components/links.tsx'
import { RevealButton } from '../../components/RevealButton.tsx'
import { CalendarDate, RelativeTime } from '../../components/time.tsx'
import { personLocation } from './labels.ts'
import classes from './PersonFacts.module.css'

type FullPerson = Schemas['PersonWithLists']

const PROOFS = {
  published: 'Published by the company',
  smtp: 'Accepted by the mail server',
  zerobounce: 'Verified by ZeroBounce',
}
const TIERS = ['', 'Ideal role in the latest search', 'Next best role in the latest search']

/** The facts about a person, each with its source. */
export function PersonFacts({ person }: { person: FullPerson }) {
  const { email, email_source, email_checked_at, phone, phone_checked_at, title_history, icp_tier, sources } = person
  return (
    <dl className={classes.facts}>
      <Fact name="Email">
        <RevealButton person={person} what="email" />
        {email && (
          <Text size="xs" c="dimmed">
            {email_source ? PROOFS[email_source] : 'Verified'}, checked <RelativeTime at={email_checked_at} />
          </Text>
        )}
      </Fact>
      <Fact name="Phone">
        <RevealButton person={person} what="phone" />
        {phone && (
          <Text size="xs" c="dimmed">
            Found <RelativeTime at={phone_checked_at} />
            {person.phone_url && (
              <>
                {' on '}
                <SafeLink to={person.phone_url} size="xs" />
              </>
            )}
          </Text>
        )}
      </Fact>
      {person.network_url && (
        <Fact name="Profile">
          <SafeLink to={person.network_url} size="sm" />
        </Fact>
      )}
      {personLocation(person) && <Fact name="Location">{personLocation(person)}</Fact>}
      {person.left_on && (
        <Fact name="Left the company">
          <CalendarDate on={person.left_on} />
        </Fact>
      )}
      {person.history.length > 0 && (
        <Fact name="Work history">
          <Stack gap={4}>
            {person.history.map((job) => (
              <Job key={`${job.employer} ${job.title}`} job={job} />
            ))}
          </Stack>
        </Fact>
      )}
      {title_history.length > 0 && (
        <Fact name="Previous titles">
          <Stack gap={2}>
            {title_history.toReversed().map(({ title, until }) => (
              <span key={`${title} ${until}`}>
                {title}{' '}
                <Text span size="xs" c="dimmed">
                  until <CalendarDate on={until} />
                </Text>
              </span>
            ))}
          </Stack>
        </Fact>
      )}
      <Fact name="Source">
        {person.found_source ? (
          <>
            Search, {person.found_source}
            {person.found_url && (
              <>
                {': '}
                <SafeLink to={person.found_url} size="sm" />
              </>
            )}
          </>
        ) : (
          'Company roster'
        )}
        {sources.length > 1 && (
          <Text size="xs" c="dimmed">
            {sources[0] === 'employee' ? 'Also found by search' : 'Also on the company roster'}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          Added <RelativeTime at={person.created_at} />
        </Text>
      </Fact>
      {icp_tier !== null && <Fact name="Fit">{TIERS[icp_tier] ?? 'Fallback in the latest search'}</Fact>}
    </dl>
  )
}

/** A job with its dates and source. */
function Job({ job }: { job: FullPerson['history'][number] }) {
  const { employer, account_id, title, from, until, is_over, sources } = job
  const [source] = sources
  return (
    <div>
      {title ? `${title} at ` : 'At '}
      {account_id ? (
        <PageLink to="/accounts/$id" params={{ id: account_id }} size="sm">
          {employer}
        </PageLink>
      ) : (
        employer
      )}
      <Text size="xs" c="dimmed">
        {is_over ? 'Former' : 'Current'}
        {from && (
          <>
            , from <CalendarDate on={from} />
          </>
        )}
        {until && (
          <>
            , until <CalendarDate on={until} />
          </>
        )}
        {source && (
          <>
            . Source: {source.source}, <CalendarDate on={source.seen_on} />
            {source.url && (
              <>
                : <SafeLink to={source.url} size="xs" />
              </>
            )}
          </>
        )}
      </Text>
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
