import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { countVisit } from '../../lib/count-visit.ts'
import { openedAddress, visitSource } from '../../lib/visit-source.ts'

/** Counts the opening of a business's page, once it is there. */
export function usePageView(businessId: string | undefined): void {
  const router = useRouter()
  // When the screen is first drawn, the place that was left is still the one that is resolved.
  const [source] = useState(() => visitSource(router.state.resolvedLocation, openedAddress()))
  useEffect(() => {
    if (businessId) countVisit(businessId, { kind: 'page' }, source)
  }, [businessId, source])
}
