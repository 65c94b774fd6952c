import { useSearch } from '@tanstack/react-router'
import { type MessagesSearch, readMessagesSearch } from './messages-search.ts'

/** Which list is shown: every link within the messages keeps it. */
export function useListSearch(): Pick<MessagesSearch, 'tab' | 'inbox'> {
  const { tab, inbox } = readMessagesSearch(useSearch({ strict: false }))
  return { ...(tab ? { tab } : {}), ...(inbox ? { inbox } : {}) }
}
