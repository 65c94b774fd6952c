import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CSSProperties, ReactNode } from 'react'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { conversationOptions } from './messages.api.ts'
import { MessagesSkeleton } from './messages-skeleton.tsx'
import { OpenConversation } from './open-conversation.tsx'
import { useVisibleHeight } from './use-visible-height.ts'

type ConversationPaneProps = {
  id: string
  /** The sequence of the message that is looked for. */
  at: number | null
}

/** One conversation; on a phone it has the window under the header to itself. */
export function ConversationPane({ id, at }: ConversationPaneProps) {
  const height = useVisibleHeight()
  return (
    <section
      data-conversation=""
      style={height === null ? undefined : ({ '--visible': `${height}px` } as CSSProperties)}
      className="flex min-w-0 flex-1 flex-col bg-surface max-md:fixed max-md:inset-x-0 max-md:top-16 max-md:z-30 max-md:h-[calc(var(--visible,100dvh)-4rem)]"
    >
      <Content id={id} at={at} />
    </section>
  )
}

function Content({ id, at }: ConversationPaneProps) {
  const { data: conversation, error, isFetching, refetch } = useQuery(conversationOptions(id))
  if (conversation) return <OpenConversation conversation={conversation} isFresh={!isFetching} at={at} />
  if (!error) return <ConversationSkeleton />
  // What cannot be an id names nothing either.
  const isAbsent = error instanceof ApiError && (error.status === 404 || error.status === 400)
  return (
    <Centered>
      <ErrorNotice
        level={1}
        title={isAbsent ? 'Conversation not found' : 'This conversation could not be loaded'}
        description={isAbsent ? 'It may have been deleted, or it is not yours.' : messageOf(error)}
      >
        {!isAbsent && (
          <Button variant="secondary" onClick={() => void refetch()} pending={isFetching}>
            Retry
          </Button>
        )}
        <Button asChild variant={isAbsent ? 'secondary' : 'quiet'}>
          <Link to="/messages/{-$id}" params={{ id: undefined }}>
            All messages
          </Link>
        </Button>
      </ErrorNotice>
    </Centered>
  )
}

const Centered = ({ children }: { children: ReactNode }) => <div className="grid flex-1 content-center">{children}</div>

function ConversationSkeleton() {
  return (
    <>
      <h1 className="sr-only">Conversation</h1>
      <SkeletonGroup label="Loading the conversation..." className="flex items-center gap-3 border-line border-b px-4 py-3">
        <Skeleton shape="circle" className="size-10" />
        <Skeleton shape="line" className="w-40" />
      </SkeletonGroup>
      <MessagesSkeleton />
    </>
  )
}
