import { useElementScrollRestoration } from '@tanstack/react-router'
import { useDeferredValue } from 'react'

const getWindow = () => window

/**
 * The rows of a list to render: first those that fill a screen, and all of them in a second rendering after these are shown. At
 * once all of them where the page returns to a scroll position, of the window or of the element with this scroll restoration id.
 */
export function useFirstRows<T>(rows: readonly T[], count: number, scrollId = 'none'): readonly T[] {
  const inWindow = useElementScrollRestoration({ getElement: getWindow })
  const inElement = useElementScrollRestoration({ id: scrollId })
  const isScrolled = Boolean(inWindow?.scrollY || inElement?.scrollY)
  const isWhole = useDeferredValue(rows.length > 0, isScrolled)
  return isWhole ? rows : rows.slice(0, count)
}
