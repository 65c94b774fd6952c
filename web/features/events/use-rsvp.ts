import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type BusinessEvent, rsvpToEvent, withdrawRsvp } from '../../../contracts/events.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'
import { eventHasChanged, eventOptions } from './events.api.ts'

/** Saves the viewer's RSVP, shown at once; undone with a message when the server refuses, as when the last seat is gone. */
export function useRsvp(id: string) {
  const client = useQueryClient()
  const { queryKey } = eventOptions(id)
  return useMutation({
    mutationKey: ['rsvp', id],
    // One after the other: the last press decides, whatever the network does.
    scope: { id: `rsvp:${id}` },
    mutationFn: (isGoing: boolean) => call(isGoing ? rsvpToEvent : withdrawRsvp, { params: { id } }),
    onMutate: (isGoing) => {
      const before = client.getQueryData(queryKey)
      const withAnswer = (event: BusinessEvent) => ({
        ...event,
        isGoing,
        goingCount: event.goingCount + (event.isGoing === isGoing ? 0 : isGoing ? 1 : -1),
      })
      client.setQueryData(queryKey, (event) => event && withAnswer(event))
      return before
    },
    onError: (error, _isGoing, before) => {
      client.setQueryData(queryKey, before)
      void client.invalidateQueries({ queryKey })
      toast({ title: 'Your RSVP wasn’t saved', description: messageOf(error), variant: 'destructive' })
    },
    onSuccess: (event) => eventHasChanged(client, id, event),
  })
}
