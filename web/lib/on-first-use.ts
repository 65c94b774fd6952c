const signs = ['pointerdown', 'keydown', 'wheel', 'scroll'] as const
const options = { capture: true, passive: true }

/** Calls once, when somebody has begun to use the page: until then the page itself needs the network. Answers how to call it off. */
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
