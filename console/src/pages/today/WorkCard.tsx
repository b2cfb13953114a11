import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { lazy, memo, type ReactNode, Suspense, useId, useState } from 'react'
import { useRights } from '../../api/me.ts'
import { useMembers } from '../../api/members.ts'
import type { WorkItem, WorkItemEvent } from '../../api/work-items.ts'
import { HotBadge, RelationshipBadge } from '../../components/AccountBadges.tsx'
import { CrmReasons } from '../../components/CrmReasons.tsx'
import { ItemState } from '../../components/ItemState.tsx'
import { hostOf, SafeLink } from '../../components/links.tsx'
import { Loading } from '../../components/states.tsx'
import { Toggle } from '../../components/Toggle.tsx'
import { RelativeDay } from '../../components/time.tsx'
import { WorkItemContact } from '../../components/WorkItemContact.tsx'
import { pluralize } from '../../lib/format.ts'
import { emailOf, openingOf } from '../../lib/message-draft.ts'
import { cardId } from './use-queue.ts'
import { useSwipe } from './use-swipe.ts'
import classes from './WorkCard.module.css'

const DraftedMessage = lazy(() =>
  import('../../components/DraftedMessage.tsx').then(({ DraftedMessage }) => ({ default: DraftedMessage })),
)

export type ContactKind = 'copied' | 'emailed' | 'called'

type Props = {
  item: WorkItem
  isCurrent: boolean
  isBusy: boolean
  onChoose: (id: string) => void
  onContact: (item: WorkItem, kind: ContactKind) => void
  /** The actions of a swipe; null if the member may not use them. */
  swipe: { left: () => void; right: () => void } | null
  /** The buttons. */
  children: ReactNode
}

/** A work item: whom to contact, why now and what to say. It can be swiped on a touch screen. */
export function WorkCard({ item, isCurrent, isBusy, onChoose, onContact, swipe, children }: Props) {
  const swiping = useSwipe(swipe)
  const title = useId()
  return (
    <li className={classes.slot}>
      {swipe && (
        <>
          <span className={classes.doneHint} aria-hidden>
            Done
          </span>
          <span className={classes.snoozeHint} aria-hidden>
            Tomorrow
          </span>
        </>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a click only makes it the current card, as j and k do */}
      <article
        {...swiping}
        id={cardId(item.id)}
        className={classes.card}
        tabIndex={isCurrent ? 0 : -1}
        aria-labelledby={title}
        aria-current={isCurrent ? 'true' : undefined}
        aria-busy={isBusy || undefined}
        // A press of the mouse also moves the focus; its click follows on the same element.
        onFocus={({ target }) => !isCurrent && target.matches(':focus-visible') && onChoose(item.id)}
        onClick={() => isCurrent || onChoose(item.id)}
      >
        <Content item={item} title={title} onContact={onContact} />
        {children}
      </article>
    </li>
  )
}

type ContentProps = Pick<Props, 'item' | 'onContact'> & { title: string }

/** Memoized, so that moving between cards renders only their buttons. */
const Content = memo(function Content({ item, title, onContact }: ContentProps) {
  const { account, events, total_events, person } = item
  const { nameOf } = useMembers()
  const { owns } = useRights()
  const [shows, setShows] = useState<'order' | 'events' | 'draft' | null>(null)
  const panel = useId()
  const toggle = (what: NonNullable<typeof shows>) => setShows(shows === what ? null : what)
  const [lead] = events
  const draft = emailOf(item, null)
  const mayAct = owns(account.owner_id) && item.state === 'open'
  const owner = nameOf(account.owner_id)
  return (
    <>
      <div className={classes.top}>
        <h3 className={classes.name} id={title}>
          <Link to="/accounts/$id" params={{ id: account.id }} className={classes.link}>
            {account.name}
          </Link>
        </h3>
        {account.is_hot && <HotBadge />}
        <RelationshipBadge relationship={account.relationship} />
        <p className={classes.about}>
          {[account.domain, owner && `Owner: ${owner}`, ...account.tags.map((tag) => `#${tag}`)]
            .filter(Boolean)
            .join('  ·  ')}
        </p>
        {item.state !== 'open' && (
          <span className={classes.state}>
            <ItemState item={item} />
          </span>
        )}
        <button
          type="button"
          className={classes.score}
          title="Why this order"
          aria-label={`Urgency ${item.act_now} of 100: why this order`}
          aria-expanded={shows === 'order'}
          aria-controls={shows === 'order' ? panel : undefined}
          onClick={() => toggle('order')}
        >
          {item.act_now}
        </button>
      </div>
      {shows === 'order' && (
        <ul className={classes.panel} id={panel} aria-label="Why this order">
          {item.factors.map(({ name, points, why }) => (
            <li key={name + why} className={classes.factor}>
              <span className={classes.points}>{points > 0 ? `+${Math.round(points)}` : Math.round(points)}</span>
              {name === 'event' ? reasonOf(why, lead?.headline) : sentence(why)}
            </li>
          ))}
        </ul>
      )}
      <CrmReasons item={item} />
      {lead && (
        <p className={classes.why}>
          <span className={classes.headline}>{lead.headline}</span>{' '}
          <span className={classes.meta}>
            <RelativeDay on={lead.happened_on} /> · <Source event={lead} />
          </span>{' '}
          {(events.length > 1 || lead.quote) && (
            <Toggle
              isOpen={shows === 'events'}
              panel={panel}
              label={events.length > 1 ? `${total_events - 1} more at ${account.name}` : `Quote about ${account.name}`}
              onClick={() => toggle('events')}
            >
              {events.length > 1 ? `+${total_events - 1} more` : 'Quote'}
            </Toggle>
          )}
        </p>
      )}
      {shows === 'events' && (
        <ul className={classes.panel} id={panel} aria-label="Findings">
          {events.map(
            (event, at) => (at > 0 || event.quote) && <Event key={event.id} event={event} isLead={at === 0} />,
          )}
          {total_events > events.length && (
            <li className={classes.meta}>
              <Link to="/accounts/$id" params={{ id: account.id }}>
                {pluralize(total_events - events.length, 'more finding')}
              </Link>
            </li>
          )}
        </ul>
      )}
      <div className={classes.person}>
        {!person && item.draft?.full_name && (
          <p className={classes.who}>
            <span>{item.draft.full_name}</span>
            {item.draft.title && <span className={classes.role}>{item.draft.title}</span>}
          </p>
        )}
        {person && (
          <p className={classes.who}>
            <Link to="/people/{-$id}" params={{ id: person.id }} className={classes.link}>
              {person.full_name}
            </Link>
            {person.title && <span className={classes.role}>{person.title}</span>}
          </p>
        )}
        <WorkItemContact item={item} onCall={mayAct ? () => onContact(item, 'called') : undefined} />
      </div>
      {draft && shows !== 'draft' && (
        <p className={classes.draft}>
          <span className={classes.opening}>{openingOf(draft)}</span>
          <Toggle isOpen={false} label={`Draft to ${account.name}`} onClick={() => toggle('draft')}>
            Draft
          </Toggle>
        </p>
      )}
      {shows === 'draft' && draft && (
        <div id={panel}>
          <Suspense fallback={<Loading lines={4} />}>
            <DraftedMessage
              drafted={item}
              of={owns(account.owner_id) && lead ? { accountId: account.id, detectionId: lead.id } : undefined}
              email={person?.email}
              onUse={mayAct ? (kind) => onContact(item, kind) : undefined}
            />
          </Suspense>
          <Toggle isOpen panel={panel} label={`Draft to ${account.name}`} onClick={() => toggle('draft')}>
            Hide draft
          </Toggle>
        </div>
      )}
    </>
  )
})

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The headline of the most important finding is next to the reasons, so it is not repeated. */
function reasonOf(why: string, headline: string | undefined): string {
  const short = headline && why.startsWith(headline) ? `This finding${why.slice(headline.length)}` : why
  return sentence(short)
}

/** A finding with its quote. The headline of the most important one is on the card. */
function Event({ event, isLead }: { event: WorkItemEvent; isLead: boolean }) {
  return (
    <li className={classes.event}>
      {!isLead && (
        <p className={classes.why}>
          <span className={classes.headline}>{event.headline}</span>{' '}
          <span className={classes.meta}>
            <RelativeDay on={event.happened_on} /> · <Source event={event} />
          </span>
        </p>
      )}
      {event.quote && <blockquote className={classes.quote}>{event.quote}</blockquote>}
    </li>
  )
}

/** The site that reports an event. */
export function Source({ event: { kind, source_url, reports } }: { event: WorkItemEvent }) {
  if (kind === 'deal') return <>your CRM</>
  const host = source_url ? hostOf(source_url) : null
  if (!source_url || !host) return <>{source_url ?? 'No source'}</>
  return (
    <>
      <SafeLink to={source_url} size="xs">
        {host} <ExternalLink size={10} aria-label="(opens in a new tab)" />
      </SafeLink>
      {reports > 1 && ` +${pluralize(reports - 1, 'source')}`}
    </>
  )
}
