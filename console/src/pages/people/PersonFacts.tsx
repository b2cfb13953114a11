import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { RevealButton } from '../../components/RevealButton.tsx'
import { SafeLink } from '../../components/SafeLink.tsx'
import { Day, When } from '../../components/When.tsx'
import classes from './PersonFacts.module.css'
import { placeOf } from './words.ts'

type FullPerson = Schemas['PersonWithLists']

const PROOFS = {
  published: 'Their company publishes it for them by name',
  smtp: 'The company’s mail server accepts it',
  zerobounce: 'ZeroBounce has confirmed it',
}
const TIERS = ['', 'The ideal role of the search that found them', 'Next best in the search that found them']

/** What is known, fact by fact, each with where it comes from. */
export function PersonFacts({ person }: { person: FullPerson }) {
  const { email, email_source, email_checked_at, phone, phone_checked_at, title_history, icp_tier } = person
  return (
    <dl className={classes.facts}>
      <Fact name="Email">
        <RevealButton person={person} what="email" />
        {email && (
          <Text size="xs" c="dimmed">
            {email_source ? PROOFS[email_source] : 'Verified'}, checked <When at={email_checked_at} />
          </Text>
        )}
      </Fact>
      <Fact name="Phone">
        <RevealButton person={person} what="phone" />
        {phone && (
          <Text size="xs" c="dimmed">
            Found <When at={phone_checked_at} />
          </Text>
        )}
      </Fact>
      {person.network_url && (
        <Fact name="Profile">
          <SafeLink to={person.network_url} size="sm" />
        </Fact>
      )}
      {placeOf(person) && <Fact name="Place">{placeOf(person)}</Fact>}
      {person.left_on && (
        <Fact name="Has left">
          since <Day on={person.left_on} />, as a source shows
        </Fact>
      )}
      {title_history.length > 0 && (
        <Fact name="Before">
          <Stack gap={2}>
            {title_history.toReversed().map(({ title, until }) => (
              <span key={`${title} ${until}`}>
                {title}{' '}
                <Text span size="xs" c="dimmed">
                  until <Day on={until} />
                </Text>
              </span>
            ))}
          </Stack>
        </Fact>
      )}
      <Fact name="Found">
        {person.found_source ? (
          <>
            By a search, in {person.found_source}
            {person.found_url && (
              <>
                {': '}
                <SafeLink to={person.found_url} size="sm" />
              </>
            )}
          </>
        ) : (
          'On the roster of the account'
        )}
        <Text size="xs" c="dimmed">
          Added <When at={person.created_at} />
        </Text>
      </Fact>
      {icp_tier !== null && <Fact name="Fit">{TIERS[icp_tier] ?? 'A fallback of the search that found them'}</Fact>}
    </dl>
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
