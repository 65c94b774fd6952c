import { useEffect, useRef } from 'react'
import { recordVisits } from '#contracts/calls/insights.ts'
import type { VisitKind, VisitSource } from '#contracts/insights.endpoints.ts'
import { maxVisitsPerRequest } from '#contracts/limits.ts'
import { minuteMs } from '#contracts/time.ts'
import { addressOf } from './call.ts'

type Visit = { kind: VisitKind; subject?: string }

/** In milliseconds. Visits within this time are sent together; hiding the page sends them immediately. */
const waitMs = 1500
/** The server ignores repeated visits within this time, so they aren't sent. */
const repeatMs = 30 * minuteMs

const waiting = new Map<string, { businessId: string; source: VisitSource; visits: Visit[] }>()
const countedAt = new Map<string, number>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Call when a person opens the business's page, uses its phone, directions or website link, or sees one of its products or posts. */
export function countVisit(businessId: string, visit: Visit, source: VisitSource = 'other'): void {
  const key = [businessId, visit.kind, visit.subject].join()
  const now = Date.now()
  if (now - (countedAt.get(key) ?? 0) < repeatMs) return
  countedAt.set(key, now)
  const group = waiting.get(businessId + source) ?? { businessId, source, visits: [] }
  waiting.set(businessId + source, { ...group, visits: [...group.visits, visit] })
  timer ??= setTimeout(sendVisits, waitMs)
}

/** Ignores failures, because statistics aren't worth an error message or a retry. */
function sendVisits(): void {
  clearTimeout(timer)
  timer = undefined
  for (const { businessId, source, visits } of waiting.values()) {
    for (let start = 0; start < visits.length; start += maxVisitsPerRequest) {
      void fetch(addressOf(recordVisits, { params: { id: businessId } }), {
        method: recordVisits.method,
        credentials: 'same-origin',
        keepalive: true,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ source, visits: visits.slice(start, start + maxVisitsPerRequest) }),
      }).catch(() => undefined)
    }
  }
  waiting.clear()
}

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') sendVisits()
})

/** In milliseconds: long enough to look at something rather than scroll past. */
const seenMs = 1000
/** Check at every percent up to half, because half a screen is a small part of a tall post. */
const seenThresholds = Array.from({ length: 51 }, (_, percent) => percent / 100)

/** Counts a post or product once half of it, or enough to fill half the screen, has been visible for a second. */
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
      (entries) => {
        const entry = entries.at(-1)
        if (!entry) return
        // Something taller than two screens is never half visible, so filling half the screen is enough.
        const isSeen = entry.isIntersecting && (entry.intersectionRatio >= 0.5 || entry.intersectionRect.height > innerHeight / 2)
        if (!isSeen) {
          clearTimeout(timer)
          timer = undefined
          return
        }
        timer ??= setTimeout(() => {
          observer.disconnect()
          countVisit(businessId, { kind, subject }, source)
        }, seenMs)
      },
      { threshold: seenThresholds },
    )
    observer.observe(element)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [businessId, kind, subject, source])
  return ref
}
