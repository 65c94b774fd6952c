import { createFileRoute } from '@tanstack/react-router'
import { MessagesScreen } from '../features/messages/messages-screen.tsx'
import { type MessagesSearch, readMessagesSearch } from '../features/messages/messages-search.ts'
import { readLater } from '../lib/search-params.ts'

export const Route = createFileRoute('/messages/{-$id}')({ validateSearch: readLater<MessagesSearch>, component: Messages })

function Messages() {
  const { id } = Route.useParams()
  return <MessagesScreen id={id ?? null} search={readMessagesSearch(Route.useSearch())} />
}
