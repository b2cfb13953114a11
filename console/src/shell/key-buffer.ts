/** What was pressed since the search was asked for and before it has the keyboard: it was meant for it and for no page. */
let early = { text: '', isEntered: false }

export function keepKeys(): void {
  window.addEventListener('keydown', keep, { capture: true })
  window.addEventListener('pointerdown', takeEarly, { capture: true })
}

/** Hands over what was kept. From now on keys go where the focus is. */
export function takeEarly(): typeof early {
  window.removeEventListener('keydown', keep, { capture: true })
  window.removeEventListener('pointerdown', takeEarly, { capture: true })
  const taken = early
  early = { text: '', isEntered: false }
  return taken
}

function keep(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'Escape' || event.key === 'Tab') return void takeEarly()
  if (event.key === 'Enter') early.isEntered = true
  else if (event.key === 'Backspace') early.text = early.text.slice(0, -1)
  else if (event.key.length === 1) early.text += event.key
  else return
  event.preventDefault()
  event.stopPropagation()
}
