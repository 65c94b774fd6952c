import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'

const prefix = 'action-'

/** What a notification's address names: see server/features/notifications/notifications.view.ts. */
export const deedElementId = (id: string): string => `${prefix}${id}`

type Pages = { hasNextPage: boolean; isFetching: boolean; fetchNextPage: () => unknown }

/**
 * Goes to the decision that the address names, as soon as it is there: into view, and with the focus, so that a screen reader reads on from
 * it. The list is read on until it is found.
 */
export function useNamedDeed(deeds: readonly { id: string }[], { hasNextPage, isFetching, fetchNextPage }: Pages): void {
  const wanted = useLocation({ select: ({ hash }) => (hash.startsWith(prefix) ? hash.slice(prefix.length) : null) })
  const isFound = deeds.some(({ id }) => id === wanted)
  // Ids tell when they were made, and the newest come first: past it there is nothing to look for.
  const mayComeLater = wanted !== null && !isFound && (deeds.at(-1)?.id ?? '') > wanted
  useEffect(() => {
    if (mayComeLater && hasNextPage && !isFetching) fetchNextPage()
  }, [mayComeLater, hasNextPage, isFetching, fetchNextPage])
  useEffect(() => {
    if (wanted === null || !isFound) return
    const deed = document.getElementById(deedElementId(wanted))
    deed?.scrollIntoView({ block: 'start' })
    deed?.querySelector('article')?.focus({ preventScroll: true })
  }, [wanted, isFound])
}
