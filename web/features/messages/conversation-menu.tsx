import { Ban, Bell, BellOff, Ellipsis, Flag, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '../../../contracts/messages.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '../../ui/menu.tsx'
import { useReport } from '../reports/use-report.tsx'
import { BlockPartyDialog } from './block-party-dialog.tsx'
import { partyName, writerOf } from './party.tsx'
import { useDeleteConversation, useMute } from './use-conversation-deeds.ts'

/** What can be done about a whole conversation. */
export function ConversationMenu({ conversation }: { conversation: Conversation }) {
  const [dialog, setDialog] = useState<'block' | 'delete' | null>(null)
  const { with: party, as, isMuted, isBlocked, abilities } = conversation
  const name = partyName(party)
  const mute = useMute(conversation)
  const deletion = useDeleteConversation(conversation)
  const writer = writerOf(party)
  const report = useReport(writer?.kind ?? 'person', writer?.id ?? '', isBlocked ? null : writer)
  const control = (which: 'block' | 'delete') => ({
    open: dialog === which,
    onOpenChange: (open: boolean) => setDialog(open ? which : null),
  })
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <IconButton label={`More about the conversation with ${name}`}>
            <Ellipsis aria-hidden="true" />
          </IconButton>
        </MenuTrigger>
        <MenuContent>
          <MenuItem onSelect={() => mute.setMuted(!isMuted)}>
            {isMuted ? <Bell aria-hidden="true" /> : <BellOff aria-hidden="true" />}
            {isMuted ? 'Unmute' : 'Mute'}
          </MenuItem>
          {writer && (
            <MenuItem onSelect={report.open}>
              <Flag aria-hidden="true" />
              Report {writer.kind === 'person' ? 'this person' : 'this business'}
            </MenuItem>
          )}
          <MenuSeparator />
          {abilities.block && !isBlocked && (
            <MenuItem danger onSelect={() => setDialog('block')}>
              <Ban aria-hidden="true" />
              {as.kind === 'business' ? `Block from ${as.business.name}` : 'Block'}
            </MenuItem>
          )}
          <MenuItem danger onSelect={() => setDialog('delete')}>
            <Trash2 aria-hidden="true" />
            Delete conversation
          </MenuItem>
        </MenuContent>
      </Menu>
      {report.dialog}
      {writer && <BlockPartyDialog conversation={conversation} writer={writer} {...control('block')} />}
      <ConfirmDialog
        {...control('delete')}
        title={`Delete the conversation with ${name}?`}
        confirmText="Delete for me"
        onConfirm={() => deletion.remove()}
        pending={deletion.isPending}
        pendingText="Deleting..."
      >
        <p>
          You lose what has been written so far; {name} keeps it. It cannot be brought back. When one of you writes again, a new list
          begins.
        </p>
      </ConfirmDialog>
    </>
  )
}
