type Names = {
  displayName: string | null
  firstName: string | null
  lastName: string | null
}

/** The name that a person reads of themselves; only here a part of the email may stand in. */
export function ownDisplayName(user: Names & { email: string }): string {
  const [localPart = ''] = user.email.split('@')
  return nameOf(user) || localPart.trim() || 'User'
}

/** The name that others read. Nobody's email, nor a part of it, is ever shown to others. */
export const publicDisplayName = (user: Names): string => nameOf(user) || 'Member'

function nameOf({ displayName, firstName, lastName }: Names): string {
  return (
    displayName?.trim() ||
    [firstName, lastName]
      .map((part) => part?.trim())
      .filter(Boolean)
      .join(' ')
  )
}
