import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Party } from '../../../contracts/messages.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { BusinessThumb } from '../businesses/business-picture.tsx'
import type { ReportedWriter } from '../reports/reported-writer.ts'

export const partyName = (party: Party): string =>
  party.kind === 'person' ? party.person.name : party.kind === 'business' ? party.business.name : party.name

/** Whose messages stand together. */
export const partyKey = (party: Party): string =>
  party.kind === 'person' ? party.person.id : party.kind === 'business' ? party.business.id : 'gone'

/** A person's picture is round, a business's square. Decoration: the name stands beside it. */
export function PartyPicture({ party, size = 'md' }: { party: Party; size?: 'sm' | 'md' }) {
  if (party.kind === 'business') return <BusinessThumb business={party.business} className={size === 'md' ? 'size-11' : 'size-8'} />
  const person = party.kind === 'person' ? party.person : { id: 'nobody', name: party.name, imageUrl: null }
  return (
    <span className={size === 'md' ? 'grid size-11 shrink-0 place-items-center' : 'contents'}>
      <Avatar id={person.id} name={person.name} imageUrl={person.imageUrl} size={size} />
    </span>
  )
}

/** Leads to their page, where they have one. */
export function PartyLink({ party, className, children }: { party: Party; className?: string; children: ReactNode }) {
  if (party.kind === 'gone') return <span className={className}>{children}</span>
  return party.kind === 'business' ? (
    <Link to="/business/$id" params={{ id: party.business.slug }} className={className}>
      {children}
    </Link>
  ) : (
    <Link to="/people/$id" params={{ id: party.person.id }} className={className}>
      {children}
    </Link>
  )
}

/** Whom one may want to block after a report. */
export function writerOf(party: Party): ReportedWriter | null {
  if (party.kind === 'gone') return null
  const { id, name } = party.kind === 'person' ? party.person : party.business
  return { kind: party.kind, id, name }
}
