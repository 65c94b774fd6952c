import { livePath } from '../../contracts/live.ts'
import { currentUserCall } from './current-user-call.ts'
import { createLiveConnection } from './live-connection.ts'
import { queryClient } from './query-client.ts'

/**
 * Listens to what the server tells open pages; returns how to stop. The stream is open while anybody listens and somebody is signed in.
 * Every connection begins with `hello`: whoever must not miss anything reads the state anew then.
 */
export const onLive = createLiveConnection({
  open: () => new EventSource(livePath),
  isSignedIn: () => Boolean(queryClient.getQueryData([currentUserCall.path])),
  page: {
    isHidden: () => document.visibilityState === 'hidden',
    on: (event, listener) => (event === 'visibilitychange' ? document : window).addEventListener(event, listener),
  },
})
