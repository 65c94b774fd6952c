import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Search, Settings2, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { Select } from '../../ui/select.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx'
import { ConversationList } from './conversation-list.tsx'
import { FoundMessages } from './found-messages.tsx'
import { MessageSettingsDialog } from './message-settings-dialog.tsx'
import { type Inbox, unreadMessagesOptions } from './messages.api.ts'
import type { MessagesSearch, MessagesTab } from './messages-search.ts'

type InboxPaneProps = { inbox: Inbox; tab: MessagesTab; openId: string | null; className?: string }

/** The list of conversations: one's own or a business's, its requests, and a search in all of them. */
export function InboxPane({ inbox, tab, openId, className }: InboxPaneProps) {
  const [text, setText] = useState('')
  const [hasSettings, setSettings] = useState(false)
  const query = text.trim()
  const input = useRef<HTMLInputElement>(null)
  // The one heading of the first level names what is open, if something is.
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
                  label="Clear the search"
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
  // Whom a business may be written to by, its subscriptions say: nobody asks.
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
          search: { tab: value as MessagesTab },
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

/** For those who share the inbox of a business. What is new in another one than the chosen stands below: the header counts it, too. */
function InboxChoice({ inbox }: { inbox: Inbox }) {
  const navigate = useNavigate()
  const unread = useQuery(unreadMessagesOptions).data
  if (!unread || unread.businesses.length === 0) return null
  const inboxes = [
    { id: 'me', name: 'Your own messages', inWords: 'your own messages', count: unread.own },
    ...unread.businesses.map(({ business: { id, name }, count }) => ({ id, name, inWords: name, count })),
  ]
  const elsewhere = inboxes.filter(({ id, count }) => id !== inbox && count > 0)
  return (
    <>
      <Select
        aria-label="Inbox"
        value={inbox}
        onChange={({ target: { value } }) => void navigate({ to: '/messages/{-$id}', params: { id: undefined }, search: searchOf(value) })}
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
              <Link to="/messages/{-$id}" params={{ id: undefined }} search={searchOf(id)} className={cx(textLink, 'touch-target')}>
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
const searchOf = (inbox: Inbox): MessagesSearch => (inbox === 'me' ? {} : { inbox })
