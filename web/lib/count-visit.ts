import { mostVisitsAtOnce, recordVisits, type VisitKind, type VisitSource } from '../../contracts/insights.ts'
import { addressOf } from './address.ts'

type Visit = { kind: VisitKind; subject?: string }

/** What is seen together is sent together, at the latest when the page is left. */
const waitMs = 1500
/** The server counts the same again after half an hour; until then it need not be told. */
const repeatMs = 30 * 60_000

const waiting = new Map<string, { businessId: string; source: VisitSource; visits: Visit[] }>()
const told = new Map<string, number>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Counts a visit to a business: that its page was opened, that a link to it was followed, that one of its things was seen. */
export function countVisit(businessId: string, visit: Visit, source: VisitSource = 'other'): void {
  const key = [businessId, visit.kind, visit.subject].join()
  const now = Date.now()
  if (now - (told.get(key) ?? 0) < repeatMs) return
  told.set(key, now)
  const group = waiting.get(businessId + source) ?? { businessId, source, visits: [] }
  waiting.set(businessId + source, { ...group, visits: [...group.visits, visit] })
  timer ??= setTimeout(sendVisits, waitMs)
}

/** It is a count: nothing is said when it fails, and nothing tried again. */
function sendVisits(): void {
  clearTimeout(timer)
  timer = undefined
  for (const { businessId, source, visits } of waiting.values()) {
    for (let start = 0; start < visits.length; start += mostVisitsAtOnce) {
      void fetch(addressOf(recordVisits, { params: { id: businessId } }), {
        method: recordVisits.method,
        credentials: 'same-origin',
        keepalive: true,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ source, visits: visits.slice(start, start + mostVisitsAtOnce) }),
      }).catch(() => undefined)
    }
  }
  waiting.clear()
}

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') sendVisits()
})
