import type { Role } from '../../../contracts/accounts.ts'
import type { AdminPerson } from '../../../contracts/admin.ts'
import { useNow } from '../../ui/ago.tsx'
import { Badge } from '../../ui/badge.tsx'

export const roleNames: Record<Role, string> = { member: 'Member', moderator: 'Moderator', admin: 'Admin' }

/** What is out of the ordinary about an account. */
export function PersonBadges({ person: { role, standing, hasSecondFactor, isDemo } }: { person: AdminPerson }) {
  const now = useNow()
  const lasts = (end: string | null) => end !== null && Date.parse(end) > now
  return (
    <>
      {role !== 'member' && <Badge variant="leaf">{roleNames[role]}</Badge>}
      {role !== 'member' && !hasSecondFactor && <Badge variant="clay">No second factor</Badge>}
      {standing.isBanned ? <Badge variant="clay">Banned</Badge> : lasts(standing.suspendedUntil) && <Badge variant="clay">Suspended</Badge>}
      {lasts(standing.mutedUntil) && <Badge variant="clay">Muted</Badge>}
      {isDemo && <Badge variant="outline">Demo</Badge>}
    </>
  )
}
