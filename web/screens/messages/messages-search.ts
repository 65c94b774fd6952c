import { useSearch } from '@tanstack/react-router'
import { isUuid } from '#contracts/addresses.ts'
import { type SearchParams, wholeParam, wordParam } from '#web/lib/search-params.ts'

export const messageTabs = ['inbox', 'requests'] as const
export type MessagesTab = (typeof messageTabs)[number]

export type MessagesSearch = {
  tab?: MessagesTab | undefined
  /** `me`, or the ID of a business whose inbox the viewer shares. */
  inbox?: string | undefined
  /** Sequence number of the message to find. */
  at?: number | undefined
}

export const readMessagesSearch = (search: SearchParams): MessagesSearch => ({
  tab: wordParam(search.tab, messageTabs),
  inbox: typeof search.inbox === 'string' && (search.inbox === 'me' || isUuid(search.inbox)) ? search.inbox : undefined,
  at: wholeParam(search.at, 1, Number.MAX_SAFE_INTEGER),
})

/** Links within Messages preserve the selected list. */
export function useListSearch(): Pick<MessagesSearch, 'tab' | 'inbox'> {
  const { tab, inbox } = readMessagesSearch(useSearch({ strict: false }))
  return { ...(tab ? { tab } : {}), ...(inbox ? { inbox } : {}) }
}
