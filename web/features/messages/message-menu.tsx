import { Copy, Ellipsis, Flag, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { deleteMessage, type Message } from '../../../contracts/messages.ts'
import { addressOf } from '../../lib/address.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { queryClient } from '../../lib/query-client.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast-store.ts'
import { removals } from '../posts/pending-removals.ts'
import { useReport } from '../reports/use-report.tsx'
import type { Messages } from './conversation-stores.ts'
import { refreshConversations } from './message-caches.ts'
import { writerOf } from './party.tsx'

const place =
  'opacity-0 transition-opacity focus-visible:opacity-100 group-hover/message:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100'

/** What can be done about one message. A list has many: the menu itself is made when it is first wanted. */
export function MessageMenu({ message, store }: { message: Message; store: Messages }) {
  const [isWanted, setWanted] = useState(false)
  const excerpt = message.content.slice(0, 40) || 'a photo'
  const look = { label: `More about the message “${excerpt}”`, size: 'sm' as const, className: place }
  if (isWanted) return <OpenedMenu message={message} store={store} look={look} />
  return (
    <IconButton {...look} aria-haspopup="menu" aria-expanded={false} onClick={() => setWanted(true)}>
      <Ellipsis aria-hidden="true" />
    </IconButton>
  )
}

type OpenedMenuProps = { message: Message; store: Messages; look: { label: string; size: 'sm'; className: string } }

function OpenedMenu({ message, store, look }: OpenedMenuProps) {
  const { id, content, isRemoved, abilities } = message
  const report = useReport('message', id, writerOf(message.sender))

  async function copy() {
    try {
      await navigator.clipboard.writeText(content)
      toast({ title: 'Copied' })
    } catch {
      toast({ title: 'Error', description: 'This browser does not allow copying here.', variant: 'destructive' })
    }
  }

  const input = { params: { id } }
  const remove = () =>
    removals.remove({
      id,
      title: 'Message deleted for you',
      commit: async () => {
        await call(deleteMessage, input)
        store.remove(id)
        refreshConversations(queryClient, message.conversationId)
      },
      commitOnLeave: () => void fetch(addressOf(deleteMessage, input), { method: 'DELETE', credentials: 'same-origin', keepalive: true }),
      onFailed: (error) =>
        toast({ title: 'Error', description: `The message was not deleted. ${messageOf(error)}`, variant: 'destructive' }),
    })

  return (
    <>
      <Menu defaultOpen>
        <MenuTrigger asChild>
          <IconButton {...look}>
            <Ellipsis aria-hidden="true" />
          </IconButton>
        </MenuTrigger>
        <MenuContent>
          {content !== '' && !isRemoved && (
            <MenuItem onSelect={() => void copy()}>
              <Copy aria-hidden="true" />
              Copy text
            </MenuItem>
          )}
          {abilities.report && (
            <MenuItem onSelect={report.open}>
              <Flag aria-hidden="true" />
              Report
            </MenuItem>
          )}
          <MenuItem danger onSelect={remove}>
            <Trash2 aria-hidden="true" />
            Delete for me
          </MenuItem>
        </MenuContent>
      </Menu>
      {report.dialog}
    </>
  )
}
