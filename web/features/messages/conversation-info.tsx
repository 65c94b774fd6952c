import type { Conversation } from '../../../contracts/messages.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogClose, DialogContent } from '../../ui/dialog.tsx'
import { Switch } from '../../ui/switch.tsx'
import { PartyLink, PartyPicture, partyName } from './party.tsx'
import { PrivacyLine } from './privacy-line.tsx'
import { useMute } from './use-conversation-deeds.ts'

type ConversationInfoProps = { conversation: Conversation; open: boolean; onOpenChange: (open: boolean) => void }

/** With whom one writes, who can read it, and whether one is told of it. */
export function ConversationInfo({ conversation, open, onOpenChange }: ConversationInfoProps) {
  const { with: party, as, isMuted, theirReadSequence, isPending, isRequest, sendsRequest, lastMessage } = conversation
  const isAnswered = lastMessage !== null && !(isPending || isRequest || sendsRequest)
  const { setMuted } = useMute(conversation)
  const name = partyName(party)
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title="About this conversation">
        <div className="grid gap-5">
          <div className="flex items-center gap-3">
            <PartyPicture party={party} />
            <p className="min-w-0 flex-1 font-semibold wrap-anywhere">{name}</p>
            {party.kind !== 'gone' && (
              <DialogClose asChild>
                <Button asChild variant="secondary" size="sm">
                  <PartyLink party={party}>{party.kind === 'business' ? 'Open page' : 'Open profile'}</PartyLink>
                </Button>
              </DialogClose>
            )}
          </div>
          <PrivacyLine />
          {as.kind === 'business' && (
            <p className="text-muted text-sm">
              Everybody on the team of {as.business.name} reads this conversation and can answer. {name} sees the name of the business, and
              not who of you wrote.
            </p>
          )}
          {party.kind === 'business' && (
            <p className="text-muted text-sm">Everybody on the team of {name} can read what you write here, and answer in its name.</p>
          )}
          <Switch checked={isMuted} onChange={(event) => setMuted(event.target.checked)} hint={`You are not told when ${name} writes.`}>
            Muted
          </Switch>
          {isAnswered && theirReadSequence === null && (
            <p className="text-muted text-sm">Read marks are off: one of you does not show them.</p>
          )}
        </div>
      </DialogContent>
    </Dialog>
  )
}
