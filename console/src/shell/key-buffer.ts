/** Keys pressed between opening the palette and its input receiving the focus. They belong to the palette, not to the page. */
let buffer = { text: '', isEntered: false }

export function startKeyBuffer(): void {
  window.addEventListener('keydown', bufferKey, { capture: true })
  window.addEventListener('pointerdown', flushKeyBuffer, { capture: true })
}

/** Returns the buffered keys and stops buffering. */
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
