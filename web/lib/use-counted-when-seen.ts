import { useEffect, useRef } from 'react'
import type { VisitSource } from '../../contracts/insights.ts'
import { countVisit } from './count-visit.ts'

/** Long enough to have been looked at, not scrolled past. */
const seenMs = 1000

/** Counts a post or a product as seen once half of it, or as much as fits, has stood on the screen for a second. */
export function useCountedWhenSeen<E extends Element>(
  businessId: string | null,
  kind: 'post' | 'product',
  subject: string,
  source: VisitSource = 'other',
) {
  const ref = useRef<E>(null)
  useEffect(() => {
    const element = ref.current
    if (!element || businessId === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return
        clearTimeout(timer)
        // Something taller than the screen is never half on it.
        const isSeen = entry.isIntersecting && (entry.intersectionRatio >= 0.5 || entry.intersectionRect.height > innerHeight / 2)
        if (!isSeen) return
        timer = setTimeout(() => {
          observer.disconnect()
          countVisit(businessId, { kind, subject }, source)
        }, seenMs)
      },
      { threshold: [0, 0.25, 0.5] },
    )
    observer.observe(element)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [businessId, kind, subject, source])
  return ref
}
