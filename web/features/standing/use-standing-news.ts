import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onLive } from '../../lib/live.ts'
import { heldThingsOptions, ownDeedsOptions, ownReportsOptions, standingOptions } from './standing.api.ts'

/** What moderators decide comes with a notification: whoever waits for it on this page reads it without loading the page anew. */
export function useStandingNews(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      onLive('notifications', () => {
        for (const { queryKey } of [standingOptions, heldThingsOptions, ownDeedsOptions, ownReportsOptions])
          void client.invalidateQueries({ queryKey })
      }),
    [client],
  )
}
