import { useState } from 'react'

/** Who is selected, over all pages of a list. */
export function useSelection() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  return {
    selected,
    select: (ids: string[], isOn: boolean) =>
      setSelected((before) => {
        const after = new Set(before)
        for (const id of ids) isOn ? after.add(id) : after.delete(id)
        return after
      }),
    clear: () => setSelected(new Set()),
  }
}
