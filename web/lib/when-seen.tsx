// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { type ComponentProps, type ReactNode, Suspense, use, useEffect, useId, useRef, useState } from 'react'
import { onFirstUse } from './on-first-use.ts'
import { restoreSubmit } from './take-over.ts'
import { useIsHydrating } from './use-is-hydrating.ts'

/** What lies behind the bottom bar of a phone, or only shows its edge above it, is not seen yet; on a wide screen, what comes next already is. */
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
  /** Brings the code of the children, which are lazy. */
  load(): Promise<unknown>
  /** Stands there while that code is on its way, on a page that did not come as HTML. */
  fallback?: ReactNode
}

/**
 * A part of a page that came as HTML, further down or hidden on this screen: it stays that until it is seen or somebody has begun to use the
 * page. Only then its code is asked for, and when that is there the app goes on with it; without a network it stays as it is. Everywhere
 * else the children are shown at once.
 */
export function WhenSeen({ load, fallback, children, ...props }: WhenSeenProps) {
  const place = useRef<HTMLDivElement>(null)
  const id = useId()
  // Its HTML is there before it: on a busy machine the app may come to this part long after it has taken the rest.
  const [gate] = useState(() => (isInBrowser && document.getElementById(id) ? makeGate() : null))
  // As the server draws it: see web/ui/base.css for what it means to what can be pressed.
  const [isLater] = useState(() => gate !== null || !isInBrowser)
  useEffect(() => (gate && place.current ? openWhenSeen(gate, place.current, load) : undefined), [gate, load])
  return (
    <div ref={place} id={id} data-later={isLater ? '' : undefined} {...props}>
      <Suspense fallback={fallback}>
        <Held gate={gate}>{children}</Held>
        {gate && <Alive place={place} />}
      </Suspense>
    </div>
  )
}

/** Answers how to call it off. */
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
  // They will soon come to it, unless it is hidden.
  const stop = onFirstUse(() => element.offsetParent && void ask())
  // What did not arrive may now.
  window.addEventListener('online', ask)
  return () => {
    observer.disconnect()
    element.removeEventListener('focusin', ask)
    stop()
    window.removeEventListener('online', ask)
  }
}

function Held({ gate, children }: { gate: Gate | null; children: ReactNode }) {
  // Where the app draws the part anew, there is no HTML that could stay.
  const isHydrating = useIsHydrating()
  if (gate && !gate.isOpen && isHydrating) use(gate.opened)
  return children
}

/** From now on it does what it says. */
function Alive({ place }: { place: { current: HTMLElement | null } }) {
  useEffect(() => {
    if (!place.current) return
    place.current.removeAttribute('data-later')
    restoreSubmit(place.current)
  }, [place])
  return null
}
