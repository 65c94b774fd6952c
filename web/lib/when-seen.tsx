// Constant or rarely rendered: React Compiler's memo code would only grow the initial bundle.
'use no memo'

import { type ComponentProps, type ReactNode, Suspense, use, useEffect, useId, useRef, useState } from 'react'
import { useIsHydrating } from './hydration.ts'
import { restoreSubmit } from './take-over.ts'

/** On a phone, content behind the bottom bar or only peeking out above it doesn't count as seen. On a wide screen, load a little ahead. */
const edge = () => (matchMedia('(min-width: 48rem)').matches ? '0px 0px 300px 0px' : '0px 0px -96px 0px')

const isInBrowser = typeof window !== 'undefined'

type Gate = { isOpen: boolean; opened: Promise<void>; open(): void }

function makeGate(): Gate {
  let resolve = () => {}
  const opened = new Promise<void>((done) => {
    resolve = done
  })
  const gate: Gate = {
    isOpen: false,
    opened,
    open() {
      gate.isOpen = true
      resolve()
    },
  }
  return gate
}

type WhenSeenProps = ComponentProps<'div'> & {
  load(): Promise<unknown>
  /** Shown while that code loads, if the page didn't come as HTML. */
  fallback?: ReactNode
}

/**
 * A part of the server's HTML below the fold or hidden on this screen. It stays static until it is seen or the page is used; then its code is
 * loaded and it hydrates. Without a network, it stays static. Elsewhere the children are rendered immediately.
 */
export function WhenSeen({ load, fallback, children, ...props }: WhenSeenProps) {
  const place = useRef<HTMLDivElement>(null)
  const id = useId()
  // Detected by its HTML: on a busy machine, hydration may reach this part long after the rest.
  const [gate] = useState(() => (isInBrowser && document.getElementById(id) ? makeGate() : null))
  // As rendered by the server: web/ui/base.css disables its controls.
  const [isLater] = useState(() => gate !== null || !isInBrowser)
  useEffect(() => (gate && place.current ? openWhenSeen(gate, place.current, load) : undefined), [gate, load])
  return (
    <div ref={place} id={id} data-later={isLater ? '' : undefined} {...props}>
      <Suspense fallback={fallback}>
        <DeferredHydration gate={gate}>{children}</DeferredHydration>
        {gate && <Alive place={place} />}
      </Suspense>
    </div>
  )
}

/** Returns a function to cancel. */
function openWhenSeen(gate: Gate, element: HTMLElement, load: () => Promise<unknown>): () => void {
  let isLoading = false
  const ask = async () => {
    if (gate.isOpen || isLoading) return
    isLoading = true
    await load().then(gate.open, () => undefined)
    isLoading = false
  }
  const see: IntersectionObserverCallback = (entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) void ask()
  }
  const observer = new IntersectionObserver(see, { rootMargin: edge() })
  observer.observe(element)
  element.addEventListener('focusin', ask)
  // It will soon be needed, unless it is hidden.
  const stop = onFirstUse(() => element.offsetParent && void ask())
  // Retry after a failed load.
  window.addEventListener('online', ask)
  return () => {
    observer.disconnect()
    element.removeEventListener('focusin', ask)
    stop()
    window.removeEventListener('online', ask)
  }
}

function DeferredHydration({ gate, children }: { gate: Gate | null; children: ReactNode }) {
  // If React rerenders this part from scratch, there is no HTML to keep.
  const isHydrating = useIsHydrating()
  if (gate && !gate.isOpen && isHydrating) use(gate.opened)
  return children
}

/** Enables the controls after hydration. */
function Alive({ place }: { place: { current: HTMLElement | null } }) {
  useEffect(() => {
    if (!place.current) return
    place.current.removeAttribute('data-later')
    restoreSubmit(place.current)
  }, [place])
  return null
}

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
