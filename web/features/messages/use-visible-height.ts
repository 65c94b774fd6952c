import { useSyncExternalStore } from 'react'

/** What a keyboard on the screen is at least as high as, in pixels. */
const keyboard = 150

/** How much of the window a keyboard on the screen leaves, in pixels; null while there is none. Browsers put it over the page. */
export function useVisibleHeight(): number | null {
  return useSyncExternalStore(subscribe, read)
}

function subscribe(listener: () => void): () => void {
  window.visualViewport?.addEventListener('resize', listener)
  return () => window.visualViewport?.removeEventListener('resize', listener)
}

function read(): number | null {
  const { visualViewport } = window
  // Somebody who has zoomed in sees less of the window, too.
  if (!visualViewport || visualViewport.scale > 1.01) return null
  return window.innerHeight - visualViewport.height > keyboard ? Math.round(visualViewport.height) : null
}
