import { useSearch } from '@tanstack/react-router'
import { type MessagesSearch, readMessagesSearch } from './messages-search.ts'

/** The selected list, preserved by all links within messages. */
export function useListSearch(): Pick<MessagesSearch, 'tab' | 'inbox'> {
  const { tab, inbox } = readMessagesSearch(useSearch({ strict: false }))
  return { ...(tab ? { tab } : {}), ...(inbox ? { inbox } : {}) }
}
