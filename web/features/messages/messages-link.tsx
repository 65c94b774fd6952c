// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { Link } from '@tanstack/react-router'
import { MessagesSquare } from 'lucide-react'
import { useUnreadMessages } from './unread-messages.ts'

/** The way to the messages in a header, with how many are unread. */
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
