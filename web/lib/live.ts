import { livePath } from '#contracts/live.ts'
import { currentUserCall } from './current-user-call.ts'
import { createLiveConnection } from './live-connection.ts'
import { queryClient } from './query-client.ts'

/**
 * Listens to server events; returns a function to stop. The stream is open while there are listeners and someone is signed in. Each
 * connection starts with `hello`, after which listeners that can't miss events must reload their state.
 */
export const onLive = createLiveConnection({
  open: () => new EventSource(livePath),
  isSignedIn: () => Boolean(queryClient.getQueryData([currentUserCall.path])),
  page: {
    isHidden: () => document.visibilityState === 'hidden',
    on: (event, listener) => (event === 'visibilitychange' ? document : window).addEventListener(event, listener),
  },
})
