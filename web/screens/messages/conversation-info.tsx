import type { Conversation } from '#contracts/messages.endpoints.ts'
import { possessive } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogClose, DialogContent } from '#web/ui/dialog.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { useMute } from './conversation-menu.tsx'
import { ParticipantLink, ParticipantPicture, participantName } from './participant.tsx'
import { PrivacyLine } from './privacy-line.tsx'

type ConversationInfoProps = { conversation: Conversation; open: boolean; onOpenChange: (open: boolean) => void }

export function ConversationInfo({ conversation, open, onOpenChange }: ConversationInfoProps) {
  const { participant, as, isMuted, theirReadSequence, isPending, isRequest, sendsRequest, lastMessage } = conversation
  const isAnswered = lastMessage !== null && !(isPending || isRequest || sendsRequest)
  const { setMuted } = useMute(conversation)
  const name = participantName(participant)
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title="About this conversation">
        <div className="grid gap-5">
          <div className="flex items-center gap-3">
            <ParticipantPicture participant={participant} />
            <p className="min-w-0 flex-1 font-semibold wrap-anywhere">{name}</p>
            {participant.kind !== 'gone' && (
              <DialogClose asChild>
                <Button asChild variant="secondary" size="sm">
                  <ParticipantLink participant={participant}>
                    {participant.kind === 'business' ? 'Open page' : 'Open profile'}
                  </ParticipantLink>
                </Button>
              </DialogClose>
            )}
          </div>
          <PrivacyLine />
          {as.kind === 'business' && (
            <p className="text-muted text-sm">
              Everyone on {possessive(as.business.name)} team can read and reply in this conversation. {name} sees only the business’s name,
              not who wrote each message.
            </p>
          )}
          {participant.kind === 'business' && (
            <p className="text-muted text-sm">Everyone on {possessive(name)} team can read your messages and reply as the business.</p>
          )}
          <Switch
            checked={isMuted}
            onChange={(event) => setMuted(event.target.checked)}
            hint={`${as.kind === 'business' ? 'Your team' : 'You'} won’t be notified when ${name} writes.`}
          >
            Muted
          </Switch>
          {isAnswered && theirReadSequence === null && <p className="text-muted text-sm">Read receipts are off in this conversation.</p>}
        </div>
      </DialogContent>
    </Dialog>
  )
}
