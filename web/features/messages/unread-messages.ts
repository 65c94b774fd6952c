import { useSyncExternalStore } from 'react'
import { call } from '../../lib/call.ts'
import { onLive } from '../../lib/live.ts'
import { unreadCall } from './unread-call.ts'

let unread = 0
/** Somebody has said how many there are: the stream, or the answer to the one question. */
let isTold = false
const listeners = new Set<() => void>()

function setUnread(count: number): void {
  isTold = true
  if (count === unread) return
  unread = count
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  const stops = [onLive('hello', ({ unreadMessages }) => setUnread(unreadMessages)), onLive('messages', (news) => setUnread(news.unread))]
  // The stream may have been opened by another part of the page, and have said it before anybody listened here.
  if (!isTold) {
    call(unreadCall, {}).then(
      ({ count }) => isTold || setUnread(count),
      () => undefined,
    )
  }
  return () => {
    listeners.delete(listener)
    for (const stop of stops) stop()
  }
}

const readUnread = () => unread
/** What the HTML has that came first: parts of it that the app goes on with later must find it so. */
const readAtFirst = () => 0

/** How many messages are unread in all one's inboxes, without requests and what is muted; live. */
export const useUnreadMessages = (): number => useSyncExternalStore(subscribe, readUnread, readAtFirst)
