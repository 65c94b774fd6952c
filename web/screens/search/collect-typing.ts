let collecting: (() => string) | null = null

/**
 * Collects what is typed while the palette loads, because a fast typist is ahead of its field. The returned function stops collecting and
 * returns the text. Opening the palette again meanwhile returns the same function: a second listener would never be stopped.
 */
export function collectTyping(): () => string {
  if (collecting) return collecting
  let text = ''
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (event.key === 'Backspace') text = text.slice(0, -1)
    else if (event.key.length === 1) text += event.key
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const take = () => {
    window.removeEventListener('keydown', onKeyDown, { capture: true })
    if (collecting === take) collecting = null
    return text
  }
  window.addEventListener('keydown', onKeyDown, { capture: true })
  collecting = take
  return take
}
