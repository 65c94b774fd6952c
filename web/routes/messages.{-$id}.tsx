import { createFileRoute } from '@tanstack/react-router'
import { conversationOptions, conversationsOptions, unreadMessagesOptions } from '#web/entities/messages/messages.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { parseLater } from '#web/lib/search-params.ts'
import { MessagesScreen } from '#web/screens/messages/messages-screen.tsx'
import { type MessagesSearch, readMessagesSearch } from '#web/screens/messages/messages-search.ts'

export const Route = createFileRoute('/messages/{-$id}')({
  validateSearch: parseLater<MessagesSearch>,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) => {
    const { inbox = 'me', tab } = readMessagesSearch(deps)
    const conversations = conversationsOptions(inbox, inbox === 'me' && tab === 'requests')
    prefetch(context, conversations, unreadMessagesOptions, ...(params.id === undefined ? [] : [conversationOptions(params.id)]))
  },
  component: Messages,
})

function Messages() {
  const { id } = Route.useParams()
  return <MessagesScreen id={id ?? null} search={readMessagesSearch(Route.useSearch())} />
}
