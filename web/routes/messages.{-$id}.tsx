import { createFileRoute } from '@tanstack/react-router'
import { readLater } from '#web/lib/search-params.ts'
import { MessagesScreen } from '#web/screens/messages/messages-screen.tsx'
import { type MessagesSearch, readMessagesSearch } from '#web/screens/messages/messages-search.ts'

export const Route = createFileRoute('/messages/{-$id}')({ validateSearch: readLater<MessagesSearch>, component: Messages })

function Messages() {
  const { id } = Route.useParams()
  return <MessagesScreen id={id ?? null} search={readMessagesSearch(Route.useSearch())} />
}
