import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'

type WhenSeenProps = { fallback: ReactNode; className?: string; children: ReactNode }

const isWide = () => matchMedia('(min-width: 48rem)').matches

/**
 * For children below a phone's first screen. Phones load their code once they are seen or someone uses the page, so a glance at the top
 * loads little. Wide screens load it immediately.
 */
export function WhenSeen({ fallback, className, children }: WhenSeenProps) {
  const { ref, isSeen } = useSeen<HTMLDivElement>('0px')
  const [isUsed, setUsed] = useState(isWide)
  useEffect(() => onFirstUse(() => setUsed(true)), [])
  return (
    <div ref={ref} className={className}>
      {isSeen || isUsed ? <Suspense fallback={fallback}>{children}</Suspense> : fallback}
    </div>
  )
}

/** For heavy content. True once the element is within `margin` of the viewport. */
export function useSeen<E extends Element>(margin = '200px') {
  const ref = useRef<E>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element || isSeen) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true), { rootMargin: margin })
    observer.observe(element)
    return () => observer.disconnect()
  }, [isSeen, margin])
  return { ref, isSeen }
}

const signs = ['pointerdown', 'keydown', 'wheel', 'scroll'] as const
const options = { capture: true, passive: true }

/** Waits for the first interaction, because until then the page itself needs the network. Returns a function that cancels this. */
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
