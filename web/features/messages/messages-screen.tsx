import { useQuery } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { cx } from '../../ui/cx.ts'
import { ConversationPane } from './conversation-pane.tsx'
import { InboxPane } from './inbox-pane.tsx'
import './messages.css'
import { conversationOptions } from './messages.api.ts'
import type { MessagesSearch } from './messages-search.ts'
import { useConversationNews } from './use-conversation-news.ts'

type MessagesScreenProps = {
  /** The conversation that is open. */
  id: string | null
  search: MessagesSearch
}

/** One's conversations beside the one that is open; on a phone, one or the other. */
export function MessagesScreen({ id, search }: MessagesScreenProps) {
  useConversationNews()
  const open = useQuery({ ...conversationOptions(id ?? ''), enabled: id !== null }).data
  // A link from elsewhere names the conversation alone: the list shows where it is.
  const inbox = search.inbox ?? (open?.as.kind === 'business' ? open.as.business.id : 'me')
  const tab = search.tab ?? (open?.isRequest ? 'requests' : 'inbox')
  return (
    <div
      data-fills-window=""
      className="mx-auto flex h-[calc(100dvh-4rem-var(--bottom-bar,0px)-env(safe-area-inset-bottom))] max-w-page md:h-[calc(100dvh-4rem)] md:px-6 md:py-5"
    >
      <div className="flex min-h-0 w-full md:overflow-clip md:rounded-card md:border md:border-line md:bg-surface">
        <InboxPane
          inbox={inbox}
          tab={tab}
          openId={id}
          className={cx('w-full md:w-[clamp(20rem,48%,24rem)] md:shrink-0 md:border-line md:border-r', id !== null && 'max-md:hidden')}
        />
        {id === null ? <NothingOpen /> : <ConversationPane key={id} id={id} at={search.at ?? null} />}
      </div>
    </div>
  )
}

function NothingOpen() {
  return (
    <div className="grid flex-1 content-center justify-items-center gap-3 p-8 text-center text-muted max-md:hidden">
      <span className="grid size-16 place-items-center rounded-full bg-sunk">
        <MessagesSquare aria-hidden="true" className="size-7" />
      </span>
      <p>Choose a conversation to read it.</p>
    </div>
  )
}
