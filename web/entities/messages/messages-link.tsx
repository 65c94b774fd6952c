import { Link } from '@tanstack/react-router'
import { MessagesSquare } from 'lucide-react'
import { getUnreadMessages } from '#contracts/calls/messages.ts'
import { call } from '#web/lib/call.ts'
import { onLive } from '#web/lib/live-connection.ts'
import { createStore, useStore } from '#web/lib/store.ts'

export function MessagesLink({ className = '' }: { className?: string }) {
  const unread = useUnreadMessages()
  const shown = unread > 99 ? '99+' : unread
  return (
    <Link
      to="/messages/{-$id}"
      params={{ id: undefined }}
      aria-label={unread === 0 ? 'Messages' : `Messages, ${unread > 99 ? 'more than 99' : unread} unread`}
      className={`touch-target relative inline-grid size-10 shrink-0 place-items-center rounded-full transition-colors hover:bg-sunk [&_svg]:size-5 ${className}`}
    >
      <MessagesSquare aria-hidden="true" />
      {unread > 0 && (
        <span
          aria-hidden="true"
          className="absolute -top-0.5 -right-0.5 min-w-4.5 rounded-full bg-leaf px-1 text-center text-[0.6875rem]/4.5 font-semibold text-on-leaf tabular-nums ring-2 ring-ground"
        >
          {shown}
        </span>
      )}
    </Link>
  )
}

/** The count is known, from the stream or the request. */
let isLoaded = false

const unreadStore = createStore(0, () => {
  const stops = [onLive('hello', ({ unreadMessages }) => setUnread(unreadMessages)), onLive('messages', (news) => setUnread(news.unread))]
  // Another part of the page may have opened the stream earlier and received the count already.
  if (!isLoaded) {
    call(getUnreadMessages, {}).then(
      ({ count }) => isLoaded || setUnread(count),
      () => undefined,
    )
  }
  return () => {
    for (const stop of stops) stop()
  }
})

function setUnread(count: number): void {
  isLoaded = true
  unreadStore.set(count)
}

/** Live unread count across the viewer's inboxes, excluding requests and muted conversations. */
const useUnreadMessages = (): number => useStore(unreadStore)
