// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { useLocation } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { useCurrentUser } from '../../lib/current-user.ts'
import { tellMissing } from '../../ui/tell-missing.ts'
import { useGuideShape } from './guide-store.ts'

/** It meets people who have not asked for it: where its code does not arrive, it takes nothing down with it. */
const Guide = lazy<ComponentType<{ isAsked: boolean }>>(() => import('./guide.tsx').catch(() => ({ default: NoGuide })))

/** For so long after they came the guide meets people on Home, unless they put it away. */
const newDays = 14

/** Where the guide stands on every screen of members: loaded once the page is at rest, for newcomers on Home and for whoever asked for it. */
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
    if (isAsked) tellMissing()
  }, [isAsked])
  return null
}

/** Whether the browser has had nothing to do since. */
function useRest(isWaiting: boolean): boolean {
  const [isAtRest, setAtRest] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    // Safari has no word for it.
    if (typeof requestIdleCallback !== 'function') {
      const timer = setTimeout(() => setAtRest(true), 1000)
      return () => clearTimeout(timer)
    }
    const waiting = requestIdleCallback(() => setAtRest(true), { timeout: 3000 })
    return () => cancelIdleCallback(waiting)
  }, [isWaiting])
  return isAtRest
}
