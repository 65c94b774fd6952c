import { useLocation } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { useGuideShape } from '#web/entities/guide/guide-store.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { toastMissingCode } from '#web/ui/lazy-overlays.tsx'

/** Shown unprompted, so a failure to load must not break the page. */
const Guide = lazy<ComponentType<{ isAsked: boolean }>>(() => import('./guide.tsx').catch(() => ({ default: NoGuide })))

/** Days after sign-up in which the guide appears on Home by itself, unless dismissed. */
const newDays = 14

/** Mounts the guide on members' screens: once the page is idle, for newcomers on Home and for anyone who opened it. */
export function GuidePlace() {
  const user = useCurrentUser()
  const isHome = useLocation({ select: ({ pathname }) => pathname === '/' })
  const shape = useGuideShape()
  const isNew = user !== null && Date.now() - Date.parse(user.createdAt) < newDays * 86_400_000
  const isWanted = shape !== null || (isHome && isNew)
  const isAtRest = useRest(isWanted && shape !== 'card')
  if (!user || !isWanted || (shape !== 'card' && !isAtRest)) return null
  return (
    <Suspense>
      <Guide key={user.id} isAsked={shape !== null} />
    </Suspense>
  )
}

function NoGuide({ isAsked }: { isAsked: boolean }) {
  useEffect(() => {
    if (isAsked) toastMissingCode()
  }, [isAsked])
  return null
}

function useRest(isWaiting: boolean): boolean {
  const [isAtRest, setAtRest] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    // Safari has no idle callbacks.
    if (typeof requestIdleCallback !== 'function') {
      const timer = setTimeout(() => setAtRest(true), 1000)
      return () => clearTimeout(timer)
    }
    const waiting = requestIdleCallback(() => setAtRest(true), { timeout: 3000 })
    return () => cancelIdleCallback(waiting)
  }, [isWaiting])
  return isAtRest
}
