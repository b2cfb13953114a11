import { Button, VisuallyHidden } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { Fragment, useCallback, useRef, useState } from 'react'
import { queries } from '../../api/client.ts'
import { useMe, useRights } from '../../api/me.ts'
import { useMySignature } from '../../api/my-profile.ts'
import { useProviders } from '../../api/providers.ts'
import type { QueueState, QueueView, WorkItem } from '../../api/work-items.ts'
import { copyText } from '../../components/CopyButton.tsx'
import { LoadMore } from '../../components/LoadMore.tsx'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { toastError } from '../../components/toast.tsx'
import { addDays, localDay } from '../../lib/days.ts'
import { usePageShortcuts } from '../../lib/keyboard.ts'
import { draftText, emailOf, mailtoUrl } from '../../lib/message-draft.ts'
import { openUrl } from '../../lib/open-url.ts'
import { useFirstRows } from '../../lib/use-first-rows.ts'
import { close, contact, push, reopen, snooze } from '../../lib/work-actions.ts'
import { ItemActions, type ItemHandlers } from './ItemActions.tsx'
import classes from './Queue.module.css'
import { cardId, type Queue as QueueData } from './use-queue.ts'
import { type ContactKind, WorkCard } from './WorkCard.tsx'

/** The number of items loaded automatically on scroll; further pages need a click. */
const AUTO_LOAD_LIMIT = 100
/** The cards that fill a high window. */
const FIRST_CARDS = 10

type Props = { queue: QueueData; view: QueueView; state: QueueState }

/** The cards of a view, worked off with the keyboard, buttons or swipes. */
export function Queue({ queue, view, state }: Props) {
  const { list, items, fresh, current, act } = queue
  const cards = useFirstRows(items, FIRST_CARDS)
  const { owns, write } = useRights()
  const { member } = useMe()
  const navigate = useNavigate()
  const [snoozing, setSnoozing] = useState<string | null>(null)
  const { data: integrations } = queries.useQuery('get', '/v1/integrations', {}, { staleTime: 300_000 })
  const { labelOf } = useProviders()
  const crms = (integrations?.data.crms ?? []).map(({ provider }) => labelOf(provider)).join(' and ')
  const mayAct = ({ account }: WorkItem) => owns(account.owner_id)

  const handlersOf = (item: WorkItem): ItemHandlers => ({
    reach: () => reach(item),
    // Without a CRM the card stays, and the response says where to connect one.
    push: () => act({ ...push(item, crms), isOptimistic: crms !== '' }),
    snooze: (until) => {
      setSnoozing(null)
      act(snooze(item, until))
    },
    close: (outcome) => act(close(item, outcome)),
    reopen: () => act(reopen(item)),
  })
  const { signature } = useMySignature()
  async function reach(item: WorkItem): Promise<void> {
    const draft = emailOf(item, signature)
    const email = item.person?.email
    if (email) {
      openUrl(mailtoUrl(email, draft ?? { subject: null, body: '' }))
      return act(contact(item, 'emailed'))
    }
    if (!draft) return toastError(`No draft for ${item.account.name}`, new Error('Open the account to write one.'))
    try {
      await copyText(draftText(draft))
    } catch (error) {
      return toastError('Copy failed', error)
    }
    return act(contact(item, 'copied'))
  }
  const latest = useRef(act)
  latest.current = act
  const onContact = useCallback((item: WorkItem, kind: ContactKind) => void latest.current(contact(item, kind)), [])

  const openSnoozeMenu = ({ id }: WorkItem) => {
    // The menu is hidden as long as its button is outside of the window.
    document.getElementById(cardId(id))?.querySelector('[aria-haspopup]')?.scrollIntoView({ block: 'nearest' })
    setSnoozing(id)
  }
  const open = () => current && navigate({ to: '/accounts/$id', params: { id: current.account.id } })
  const on = current && mayAct(current) && !queue.isBusy(current.id) ? handlersOf(current) : null
  usePageShortcuts(
    // The menu of days takes the keys, also while it is loading.
    snoozing
      ? {}
      : {
          j: () => queue.move(1),
          k: () => queue.move(-1),
          o: open,
          Enter: open,
          ...(write && { u: () => queue.undo() }),
          ...(on &&
            current?.state === 'open' && {
              e: on.reach,
              p: on.push,
              s: () => openSnoozeMenu(current),
              d: () => on.close('contacted'),
              n: () => on.close('not_relevant'),
              x: () => on.close('wrong'),
            }),
        },
  )

  if (list.isPending) return <Loading lines={12} />
  if (list.isError && items.length === 0) return <ErrorMessage error={list.error} retry={list.refetch} />
  const tierOf = ({ account }: WorkItem) => (account.owner_id === member.id ? 'My accounts' : 'No owner')
  return (
    <>
      {fresh.length > 0 && (
        <Button
          variant="light"
          leftSection={<RefreshCw size={15} aria-hidden />}
          onClick={queue.showFresh}
          className={classes.fresh}
          fullWidth
        >
          Show {fresh.length} new
        </Button>
      )}
      <ol className={classes.list} aria-label="Queue">
        {cards.map((item, at) => {
          const isCurrent = item.id === current?.id
          const before = items[at - 1]
          const tier = view === 'queue' && state === 'open' ? tierOf(item) : null
          const on = mayAct(item) ? handlersOf(item) : null
          return (
            <Fragment key={item.id}>
              {tier && (!before || tierOf(before) !== tier) && (
                <li className={classes.tier}>
                  <h2>{tier}</h2>
                </li>
              )}
              <WorkCard
                item={item}
                isCurrent={isCurrent}
                isBusy={queue.isBusy(item.id)}
                onChoose={queue.choose}
                onContact={onContact}
                swipe={
                  on && state === 'open'
                    ? {
                        left: () => on.snooze(localDay(addDays(new Date(), 1))),
                        right: () => on.close('contacted'),
                      }
                    : null
                }
              >
                {on && (
                  <ItemActions
                    item={item}
                    on={on}
                    isCrmConnected={crms !== ''}
                    isSnoozing={snoozing === item.id}
                    onSnoozing={(isOpen) => setSnoozing(isOpen ? item.id : null)}
                  />
                )}
              </WorkCard>
            </Fragment>
          )
        })}
      </ol>
      {queue.loadMore && cards.length === items.length && (
        <LoadMore
          load={queue.loadMore}
          isLoading={list.isFetchingNextPage}
          isAutomatic={items.length < AUTO_LOAD_LIMIT}
        />
      )}
      <VisuallyHidden role="status">{queue.announcement}</VisuallyHidden>
    </>
  )
}
