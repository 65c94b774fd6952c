import { Ban, Check, Flag, X } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '../../../contracts/messages.ts'
import { Button } from '../../ui/button.tsx'
import { useReport } from '../reports/use-report.tsx'
import { BlockPartyDialog } from './block-party-dialog.tsx'
import { partyName, writerOf } from './party.tsx'
import { useAnswerRequest } from './use-conversation-deeds.ts'

/** What a request is, and the answers to it. */
export function RequestBar({ conversation }: { conversation: Conversation }) {
  const [isBlocking, setBlocking] = useState(false)
  const { accept, decline, isAccepting, isDeclining } = useAnswerRequest(conversation)
  const { with: party, abilities } = conversation
  const name = partyName(party)
  const writer = writerOf(party)
  const report = useReport(writer?.kind ?? 'person', writer?.id ?? '', writer)
  return (
    <section aria-label="Message request" className="mb-2.5 rounded-input border border-line bg-ground px-4 py-3.5">
      <h2 className="font-semibold font-text text-base tracking-normal">{name} wants to write to you</h2>
      <p className="mt-1 max-w-text text-muted text-sm">
        You do not follow {name}, who sees neither that you have read this nor what you decide, unless you accept or answer.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        {abilities.accept && (
          <Button size="sm" onClick={accept} pending={isAccepting} pendingText="Accepting...">
            <Check aria-hidden="true" />
            Accept
          </Button>
        )}
        {abilities.decline && (
          <Button variant="secondary" size="sm" onClick={decline} pending={isDeclining} pendingText="Declining...">
            <X aria-hidden="true" />
            Decline
          </Button>
        )}
        {writer && (
          <>
            {abilities.block && (
              <Button variant="quiet" size="sm" onClick={() => setBlocking(true)}>
                <Ban aria-hidden="true" />
                Block
              </Button>
            )}
            <Button variant="quiet" size="sm" onClick={report.open}>
              <Flag aria-hidden="true" />
              Report
            </Button>
            <BlockPartyDialog conversation={conversation} writer={writer} open={isBlocking} onOpenChange={setBlocking} />
          </>
        )}
      </div>
      {report.dialog}
    </section>
  )
}
