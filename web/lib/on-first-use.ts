const signs = ['pointerdown', 'keydown', 'wheel', 'scroll'] as const
const options = { capture: true, passive: true }

/** Calls back once, at the first interaction; until then, the page itself needs the network. Returns a function to cancel. */
export function onFirstUse(begin: () => void): () => void {
  const stop = () => {
    for (const sign of signs) window.removeEventListener(sign, use, options)
  }
  const use = () => {
    stop()
    begin()
  }
  for (const sign of signs) window.addEventListener(sign, use, options)
  return stop
}
