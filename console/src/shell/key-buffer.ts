/** What was pressed since the search was asked for and before it has the keyboard: it was meant for it and for no page. */
let buffer = { text: '', isEntered: false }

export function startKeyBuffer(): void {
  window.addEventListener('keydown', bufferKey, { capture: true })
  window.addEventListener('pointerdown', flushKeyBuffer, { capture: true })
}

/** Hands over what was kept. From now on keys go where the focus is. */
export function flushKeyBuffer(): typeof buffer {
  window.removeEventListener('keydown', bufferKey, { capture: true })
  window.removeEventListener('pointerdown', flushKeyBuffer, { capture: true })
  const taken = buffer
  buffer = { text: '', isEntered: false }
  return taken
}

function bufferKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'Escape' || event.key === 'Tab') return void flushKeyBuffer()
  if (event.key === 'Enter') buffer.isEntered = true
  else if (event.key === 'Backspace') buffer.text = buffer.text.slice(0, -1)
  else if (event.key.length === 1) buffer.text += event.key
  else return
  event.preventDefault()
  event.stopPropagation()
}
