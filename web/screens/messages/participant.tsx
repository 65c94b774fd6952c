import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Participant } from '#contracts/messages.endpoints.ts'
import { BusinessThumb } from '#web/entities/businesses/business-picture.tsx'
import type { ReportedWriter } from '#web/entities/reports/report-words.ts'
import { Avatar } from '#web/ui/avatar.tsx'

export const participantName = (participant: Participant): string =>
  participant.kind === 'person' ? participant.person.name : participant.kind === 'business' ? participant.business.name : participant.name

export const participantKey = (participant: Participant): string =>
  participant.kind === 'person' ? participant.person.id : participant.kind === 'business' ? participant.business.id : 'gone'

/** Round for people, square for businesses. Decorative: the name is always next to it. */
export function ParticipantPicture({ participant, size = 'md' }: { participant: Participant; size?: 'sm' | 'md' }) {
  if (participant.kind === 'business')
    return <BusinessThumb business={participant.business} className={size === 'md' ? 'size-11' : 'size-8'} />
  const person = participant.kind === 'person' ? participant.person : { id: 'nobody', name: participant.name, imageUrl: null }
  return (
    <span className={size === 'md' ? 'grid size-11 shrink-0 place-items-center' : 'contents'}>
      <Avatar id={person.id} name={person.name} imageUrl={person.imageUrl} size={size} />
    </span>
  )
}

export function ParticipantLink({
  participant,
  className,
  children,
}: {
  participant: Participant
  className?: string
  children: ReactNode
}) {
  if (participant.kind === 'gone') return <span className={className}>{children}</span>
  return participant.kind === 'business' ? (
    <Link to="/business/$id" params={{ id: participant.business.slug }} className={className}>
      {children}
    </Link>
  ) : (
    <Link to="/people/$id" params={{ id: participant.person.id }} className={className}>
      {children}
    </Link>
  )
}

/** After a report, the dialog offers to block this person or business. */
export function writerOf(participant: Participant): ReportedWriter | null {
  if (participant.kind === 'gone') return null
  const { id, name } = participant.kind === 'person' ? participant.person : participant.business
  return { kind: participant.kind, id, name }
}
