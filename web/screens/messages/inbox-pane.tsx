import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Search, Settings2, X } from 'lucide-react'
import { useRef, useState } from 'react'
import type { FoundMessage } from '#contracts/messages.endpoints.ts'
import { useBusinessLabels } from '#web/entities/businesses/businesses.api.ts'
import { MessageSettings } from '#web/entities/messages/message-settings.tsx'
import { foundMessagesOptions, type Inbox, unreadMessagesOptions } from '#web/entities/messages/messages.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Input } from '#web/ui/input.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { MorePages, useFirstItems } from '#web/ui/paged-list.tsx'
import { Select } from '#web/ui/select.tsx'
import { SkeletonGroup, SkeletonRow } from '#web/ui/skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { ConversationList } from './conversation-list.tsx'
import { type MessagesTab, useListSearch } from './messages-search.ts'
import { ParticipantPicture, participantName } from './participant.tsx'
import { PrivacyLine } from './privacy-line.tsx'

type InboxPaneProps = { inbox: Inbox; tab: MessagesTab; openId: string | null; className?: string }

export function InboxPane({ inbox, tab, openId, className }: InboxPaneProps) {
  const [text, setText] = useState('')
  const [hasSettings, setSettings] = useState(false)
  const query = text.trim()
  const input = useRef<HTMLInputElement>(null)
  // If a conversation is open, it has the page's `h1`.
  const Heading = openId === null ? 'h1' : 'h2'
  return (
    <section aria-label="Conversations" className={cx('flex min-h-0 flex-col', className)}>
      <div className="grid gap-3 px-4 pt-4 pb-2">
        <div className="flex items-center justify-between gap-3">
          <Heading className="text-2xl">Messages</Heading>
          <IconButton label="Message settings" onClick={() => setSettings(true)}>
            <Settings2 aria-hidden="true" />
          </IconButton>
        </div>
        <InboxChoice inbox={inbox} />
        <search>
          <Input
            ref={input}
            type="search"
            aria-label="Search your messages"
            placeholder="Search your messages"
            autoComplete="off"
            maxLength={100}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && setText('')}
            start={<Search aria-hidden="true" />}
            end={
              text !== '' && (
                <IconButton
                  label="Clear search"
                  size="sm"
                  onClick={() => {
                    setText('')
                    input.current?.focus()
                  }}
                >
                  <X aria-hidden="true" />
                </IconButton>
              )
            }
            className="[&_input::-webkit-search-cancel-button]:hidden"
          />
        </search>
      </div>
      {query === '' ? <Lists inbox={inbox} tab={tab} openId={openId} /> : <FoundMessages inbox={inbox} query={query} />}
      <MessageSettingsDialog open={hasSettings} onOpenChange={setSettings} />
    </section>
  )
}

const scroll = 'min-h-0 flex-1 overflow-y-auto overscroll-contain pt-1!'

function Lists({ inbox, tab, openId }: Pick<InboxPaneProps, 'inbox' | 'tab' | 'openId'>) {
  const navigate = useNavigate()
  const requests = useQuery(unreadMessagesOptions).data?.requests ?? 0
  // People who may write to a business don't need its acceptance, so its inbox doesn't have requests.
  if (inbox !== 'me') {
    return (
      <div className={scroll}>
        <ConversationList inbox={inbox} requests={false} openId={openId} />
      </div>
    )
  }
  return (
    <Tabs
      value={tab}
      onValueChange={(value) =>
        void navigate({
          to: '/messages/{-$id}',
          params: { id: openId ?? undefined },
          search: { inbox: 'me', tab: value as MessagesTab },
          replace: true,
        })
      }
      className="flex min-h-0 flex-1 flex-col"
    >
      <TabList aria-label="Conversations" className="px-3">
        <Tab value="inbox">Inbox</Tab>
        <Tab value="requests" className="inline-flex items-center gap-2">
          Requests
          {requests > 0 && (
            <Badge variant="leaf" className="tabular-nums">
              {requests > 99 ? '99+' : requests}
            </Badge>
          )}
        </Tab>
      </TabList>
      <TabPanel value="inbox" className={scroll}>
        <ConversationList inbox={inbox} requests={false} openId={openId} />
      </TabPanel>
      <TabPanel value="requests" className={scroll}>
        <ConversationList inbox={inbox} requests openId={openId} />
      </TabPanel>
    </Tabs>
  )
}

/** Only for members of a business's team. Shows unread counts of the other inboxes below, because the header's count includes them. */
function InboxChoice({ inbox }: { inbox: Inbox }) {
  const navigate = useNavigate()
  const unread = useQuery(unreadMessagesOptions).data
  const labelOf = useBusinessLabels(unread !== undefined && unread.businesses.length > 1)
  if (!unread || unread.businesses.length === 0) return null
  const inboxes = [
    { id: 'me', name: 'Personal', inWords: 'your personal inbox', count: unread.own },
    ...unread.businesses.map(({ business, count }) => ({ id: business.id, name: labelOf(business), inWords: labelOf(business), count })),
  ]
  const elsewhere = inboxes.filter(({ id, count }) => id !== inbox && count > 0)
  return (
    <>
      <Select
        aria-label="Inbox"
        value={inbox}
        onChange={({ target: { value } }) => void navigate({ to: '/messages/{-$id}', params: { id: undefined }, search: { inbox: value } })}
      >
        {inboxes.map(({ id, name, count }) => (
          <option key={id} value={id}>
            {name}
            {count > 0 && ` (${unreadWords(count)})`}
          </option>
        ))}
      </Select>
      {elsewhere.length > 0 && (
        <ul className="grid justify-items-start gap-1.5 text-sm">
          {elsewhere.map(({ id, inWords, count }) => (
            <li key={id}>
              <Link to="/messages/{-$id}" params={{ id: undefined }} search={{ inbox: id }} className={cx(textLink, 'touch-target')}>
                {unreadWords(count)} in {inWords}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const unreadWords = (count: number) => `${count > 99 ? '99+' : count} unread`

function FoundMessages({ inbox, query }: { inbox: Inbox; query: string }) {
  const asked = useDebounced(query)
  const list = useInfiniteQuery({ ...foundMessagesOptions(inbox, asked), placeholderData: (before) => before })
  const found = list.data?.pages.flatMap(({ items }) => items) ?? []
  const { hasNextPage, isFetching } = list
  // Each page searches a limited range, so an empty page isn't the end.
  const isLoading = useFirstItems(list)
  const isSearching = isLoading || asked !== query || list.isPlaceholderData || (found.length === 0 && isFetching)
  return (
    <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain border-line border-t">
      <p role="status" className="sr-only">
        {isSearching ? 'Searching...' : `${found.length}${hasNextPage ? ' or more' : ''} found`}
      </p>
      {found.length > 0 ? (
        <div className="px-2 pt-1 pb-3" aria-busy={isSearching}>
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
            {found.map((each) => (
              <li key={each.message.id}>
                <FoundRow found={each} query={asked} />
              </li>
            ))}
          </ul>
          <MorePages list={list} />
        </div>
      ) : isSearching ? (
        <SkeletonGroup label="Searching..." className="px-4">
          <SkeletonRow />
          <SkeletonRow />
          <SkeletonRow />
        </SkeletonGroup>
      ) : list.isError ? (
        <ErrorState
          title="The search didn’t work"
          description={messageOf(list.error)}
          onRetry={() => void list.refetch()}
          pending={isFetching}
        />
      ) : (
        <EmptyState title="Nothing found" description={`None of your messages match “${asked}”. Try fewer or different words.`} />
      )}
    </div>
  )
}

function FoundRow({ found: { message, participant }, query }: { found: FoundMessage; query: string }) {
  return (
    <Link
      to="/messages/{-$id}"
      params={{ id: message.conversationId }}
      search={{ ...useListSearch(), at: message.sequence }}
      className="flex items-start gap-3 rounded-input px-2.5 py-2.5 transition-colors hover:bg-sunk focus-visible:-outline-offset-2"
    >
      <ParticipantPicture participant={participant} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate font-medium">{participantName(participant)}</span>
          <Ago at={message.createdAt} className="shrink-0 text-muted text-xs" />
        </span>
        <span className="line-clamp-2 text-muted text-sm wrap-anywhere">
          {message.isOwn && 'You: '}
          {markWords(excerptAround(message.content, query), query).map(({ text, isMarked }, index) =>
            isMarked ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a text’s parts are never reordered
              <mark key={index} className="bg-transparent font-semibold text-ink">
                {text}
              </mark>
            ) : (
              text
            ),
          )}
        </span>
      </span>
    </Link>
  )
}

function MessageSettingsDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent size="md" title="Message settings">
        <div className="grid gap-6">
          <MessageSettings />
          <PrivacyLine />
        </div>
      </DialogContent>
    </Dialog>
  )
}

/** An excerpt of a long text starts about this many characters before the first match. */
const lead = 30

const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean)

export function excerptAround(content: string, query: string): string {
  const text = content.replace(/\s+/g, ' ').trim()
  const low = text.toLowerCase()
  const places = wordsOf(query).flatMap((word) => {
    const place = low.indexOf(word)
    return place < 0 ? [] : [place]
  })
  const first = places.length > 0 ? Math.min(...places) : 0
  if (first <= lead) return text
  const from = text.lastIndexOf(' ', first - lead)
  // The text is one long word, or its script doesn't use spaces.
  return from < 0 && first < 2 * lead ? text : `…${text.slice(from < 0 ? first - lead : from + 1)}`
}

export function markWords(text: string, query: string): { text: string; isMarked: boolean }[] {
  const words = wordsOf(query)
  if (words.length === 0) return [{ text, isMarked: false }]
  const pattern = words
    .toSorted((one, other) => other.length - one.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|')
  return text
    .split(new RegExp(`(${pattern})`, 'giu'))
    .map((part, index) => ({ text: part, isMarked: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}
