import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type QueueState, type QueueView, queueQuery, WORK_ITEMS_KEY, type WorkItem } from '../../api/work-items.ts'
import { endUndo, toastError, toastSuccess } from '../../components/toast.tsx'
import type { WorkAction } from '../../lib/work-actions.ts'
import { arrange } from './arrange.ts'

export type Queue = ReturnType<typeof useQueue>

/** The interval of the check for new items. */
const POLL_MS = 60_000

/** An item that was closed or snoozed and opens again is another one. */
const keyOf = ({ id, opened_at }: WorkItem) => `${id} ${opened_at}`

/** The current card of a view, so that it is current again after a visit to an account. */
const remembered = new Map<string, string>()

/** Steps through the items of a view. An action is optimistic: the card leaves at once, and returns if the request fails. */
export function useQueue(view: QueueView, state: QueueState) {
  const client = useQueryClient()
  const list = useInfiniteQuery({
    ...queueQuery({ view, state }),
    refetchInterval: POLL_MS,
    refetchOnWindowFocus: 'always',
  })
  const fetched = useMemo(() => {
    // Between two requests an item can move to another page.
    const all = list.data?.pages.flatMap(({ data }) => data) ?? []
    return [...new Map(all.map((item) => [item.id, item])).values()]
  }, [list.data])

  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [order, setOrder] = useState<readonly string[]>([])
  const { shown, fresh } = useMemo(() => arrange(order, fetched), [order, fetched])
  if (shown.some(({ id }) => !order.includes(id))) setOrder([...new Set([...order, ...shown.map(({ id }) => id)])])
  const items = shown.filter((item) => !left.has(keyOf(item)))
  const total = (list.data?.pages[0]?.pagination.total ?? 0) - fetched.filter((item) => left.has(keyOf(item))).length

  const place = `${view} ${state}`
  const [chosen, setChosen] = useState(() => remembered.get(place))
  const at = Math.max(
    0,
    items.findIndex(({ id }) => id === chosen),
  )
  const current = items[at]
  const choose = useCallback(
    (id: string | undefined) => {
      setChosen(id)
      if (id) remembered.set(place, id)
    },
    [place],
  )

  // Moves the focus after the next card is rendered.
  const focusOn = useRef<string | null>(null)
  useEffect(() => {
    if (focusOn.current === null) return
    const card = document.getElementById(cardId(focusOn.current))
    if (!card) return
    focusOn.current = null
    card.focus({ preventScroll: true })
    card.scrollIntoView({ block: 'nearest' })
  })
  const focus = (id: string | undefined) => {
    choose(id)
    focusOn.current = id ?? null
  }

  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const [announcement, setAnnouncement] = useState('')
  const mark = (set: typeof setLeft, key: string, isOn: boolean) =>
    set((before) => {
      const after = new Set(before)
      isOn ? after.add(key) : after.delete(key)
      return after
    })
  const refresh = () =>
    client.invalidateQueries({
      predicate: ({ queryKey }) =>
        queryKey[1] === WORK_ITEMS_KEY[1] || /^\/v1\/(accounts\/\{id\}|detections)/.test(String(queryKey[1])),
    })

  const done = useRef<WorkAction[]>([])
  /** Undoes the last action, or a certain one. */
  const undo = async (action = done.current.at(-1)): Promise<void> => {
    if (!action || !done.current.includes(action)) return
    done.current = done.current.filter((one) => one !== action)
    endUndo([action.item.id])
    try {
      await action.undo()
      mark(setLeft, keyOf(action.item), false)
      setAnnouncement(`Undone: ${action.said}`)
      await refresh()
      focus(action.item.id)
    } catch (error) {
      toastError('Undo failed', error)
    }
  }

  const act = async (action: WorkAction): Promise<void> => {
    const { item, isOptimistic } = action
    const index = items.findIndex(({ id }) => id === item.id)
    const next = (items[index + 1] ?? items[index - 1])?.id
    const leave = () => {
      mark(setLeft, keyOf(item), true)
      focus(next)
    }
    if (isOptimistic) leave()
    mark(setBusy, item.id, true)
    try {
      const after = await action.send()
      const stays = after?.state === item.state
      if (!isOptimistic && !stays) leave()
      if (isOptimistic && stays) mark(setLeft, keyOf(item), false)
      done.current.push(action)
      setAnnouncement(`${action.said}. ${stays ? 'The card shows what is next.' : `${total - 1} left.`}`)
      toastSuccess(action.said, () => undo(action), [item.id])
      await refresh()
    } catch (error) {
      if (isOptimistic) {
        mark(setLeft, keyOf(item), false)
        focus(item.id)
      }
      setAnnouncement(action.failed)
      toastError(action.failed, error)
      // Another member may have changed the item.
      refresh()
    } finally {
      mark(setBusy, item.id, false)
    }
  }

  return {
    list,
    items,
    total,
    fresh,
    current,
    choose,
    act,
    undo,
    announcement,
    isBusy: (id: string) => busy.has(id),
    move: (by: number) => {
      const to = items[at + by]
      if (to) focus(to.id)
      else if (by > 0 && list.hasNextPage) loadMore()
    },
    loadMore: list.hasNextPage ? loadMore : null,
    /** Shows the new items in their places. */
    showFresh: () => {
      setOrder(fetched.map(({ id }) => id))
      focus(fetched[0]?.id)
    },
  }

  async function loadMore(): Promise<void> {
    if (list.isFetchingNextPage) return
    // Items that have left shift the pages.
    if (fetched.some((item) => left.has(keyOf(item)))) await list.refetch()
    await list.fetchNextPage()
  }
}

export const cardId = (id: string): string => `item-${id}`
