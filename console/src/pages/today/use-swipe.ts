import { type PointerEvent, useRef } from 'react'

/** A shorter movement is a tap, or the start of scrolling. */
const START_PX = 12
/** The distance after which the action is done on release. */
const ACT_PX = 96

type Swipe = { pointer: number; x: number; y: number; isSwipe: boolean }

/** Moves an element with a horizontal swipe of a finger. It needs `touch-action: pan-y`. */
export function useSwipe(actions: { left: () => void; right: () => void } | null) {
  const swipe = useRef<Swipe | null>(null)
  const show = (card: HTMLElement, by: number) => {
    card.style.transform = by === 0 ? '' : `translateX(${by}px)`
    const side = by > 0 ? 'right' : 'left'
    card.parentElement?.setAttribute('data-swipe', Math.abs(by) < ACT_PX ? (by === 0 ? '' : side) : `${side} act`)
  }
  const end = ({ currentTarget, pointerId, clientX }: PointerEvent<HTMLElement>, isReleased: boolean) => {
    const { current } = swipe
    if (current?.pointer !== pointerId) return
    swipe.current = null
    if (!current.isSwipe) return
    show(currentTarget, 0)
    const by = clientX - current.x
    if (!isReleased || Math.abs(by) < ACT_PX) return
    if (by < 0) actions?.left()
    else actions?.right()
  }
  return {
    onPointerDown: ({ pointerType, pointerId, clientX, clientY }: PointerEvent<HTMLElement>) => {
      if (!actions || pointerType === 'mouse' || swipe.current) return
      swipe.current = { pointer: pointerId, x: clientX, y: clientY, isSwipe: false }
    },
    onPointerMove: ({ currentTarget, pointerId, clientX, clientY }: PointerEvent<HTMLElement>) => {
      const { current } = swipe
      if (current?.pointer !== pointerId) return
      const [x, y] = [clientX - current.x, clientY - current.y]
      if (!current.isSwipe) {
        if (Math.abs(x) < START_PX || Math.abs(x) < Math.abs(y)) return
        current.isSwipe = true
        currentTarget.setPointerCapture(pointerId)
      }
      show(currentTarget, x)
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => end(event, true),
    onPointerCancel: (event: PointerEvent<HTMLElement>) => end(event, false),
  }
}
