import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Conversation } from '../../../contracts/messages.ts'
import type { BusinessByline } from '../../../contracts/posts.ts'
import { Button } from '../../ui/button.tsx'
import { useRefocus } from '../../ui/use-refocus.ts'
import { useBlockBusiness } from '../businesses/use-block-business.ts'
import { useBlockForBusiness } from '../businesses/use-block-for-business.ts'
import { useBlockPerson } from '../people/use-block-person.ts'
import type { ReportedWriter } from '../reports/reported-writer.ts'
import { MutedNote, useMutedUntil } from '../standing/muted-note.tsx'
import { Composer } from './composer.tsx'
import type { Messages } from './conversation-stores.ts'
import type { Outgoing } from './outgoing.ts'
import { partyName, writerOf } from './party.tsx'
import { RequestBar } from './request-bar.tsx'
import { useOnline } from './use-online.ts'

type ConversationFootProps = { conversation: Conversation; store: Messages; line: readonly Outgoing[]; onSent: () => void }

/** Where one writes; or why one cannot, and what can be done about it. */
export function ConversationFoot({ conversation, store, line, onSent }: ConversationFootProps) {
  const { with: party, as, isBlocked, isRequest, isPending, abilities, whyNot } = conversation
  const isOnline = useOnline()
  const mutedUntil = useMutedUntil()
  const name = partyName(party)
  const writer = writerOf(party)
  // What was pressed or written in goes away with its answer.
  const ref = useRefocus<HTMLElement>(isBlocked ? 'blocked' : isRequest ? 'request' : abilities.send ? 'open' : 'closed')
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label={`Write to ${name}`}
      className="outline-none border-line border-t bg-surface px-2.5 pt-2.5 pb-[max(0.625rem,env(safe-area-inset-bottom))] sm:px-4"
    >
      {isRequest && <RequestBar conversation={conversation} />}
      {isBlocked && writer ? (
        <Note>
          <span>
            {as.kind === 'business' ? `${as.business.name} has` : 'You have'} blocked {name}. Neither of you can write to the other.
          </span>
          {as.kind === 'business' ? (
            abilities.block && <UnblockForBusiness business={as.business} writer={writer} />
          ) : writer.kind === 'person' ? (
            <UnblockPerson writer={writer} />
          ) : (
            <UnblockBusiness writer={writer} />
          )}
        </Note>
      ) : mutedUntil ? (
        <MutedNote until={mutedUntil} />
      ) : abilities.send ? (
        <>
          {!isOnline && <Note>You are offline. What you send waits here until there is a connection.</Note>}
          <Composer
            conversation={conversation}
            hasUnsent={line.length > 0}
            onSend={(content, media) => {
              store.send(content, media)
              onSent()
            }}
          />
        </>
      ) : (
        <Note>
          <span>{whyNot ?? (isPending ? `${name} has not accepted your request yet.` : 'You cannot write here.')}</span>
          {party.kind === 'business' && conversation.as.kind === 'self' && (
            <span className="flex flex-wrap gap-2">
              <Button asChild size="sm">
                <Link to="/business/$id" params={{ id: party.business.slug }}>
                  Open its page
                </Link>
              </Button>
              <Button asChild variant="secondary" size="sm">
                <Link to="/billing">See the VIP plan</Link>
              </Button>
            </span>
          )}
        </Note>
      )}
    </section>
  )
}

const Note = ({ children }: { children: ReactNode }) => (
  <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5 rounded-input bg-sunk px-3.5 py-2.5 text-muted text-sm last:mb-0">
    {children}
  </div>
)

function UnblockPerson({ writer }: { writer: ReportedWriter }) {
  const { setBlocked, isPending } = useBlockPerson(writer)
  return <Unblock onClick={() => setBlocked(false)} isPending={isPending} />
}

function UnblockForBusiness({ business, writer }: { business: BusinessByline; writer: ReportedWriter }) {
  const { setBlocked, isPending } = useBlockForBusiness(business, writer)
  return <Unblock onClick={() => setBlocked(false)} isPending={isPending} />
}

function UnblockBusiness({ writer }: { writer: ReportedWriter }) {
  const { setBlocked, isPending } = useBlockBusiness(writer)
  return <Unblock onClick={() => setBlocked(false)} isPending={isPending} />
}

const Unblock = ({ onClick, isPending }: { onClick: () => void; isPending: boolean }) => (
  <Button variant="secondary" size="sm" onClick={onClick} pending={isPending} pendingText="Unblocking...">
    Unblock
  </Button>
)
