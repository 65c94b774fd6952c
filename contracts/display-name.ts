type Names = {
  displayName: string | null
  firstName: string | null
  lastName: string | null
}

/** A person's own display name. Only here may part of the email be used. */
export function ownDisplayName(user: Names & { email: string }): string {
  const [localPart = ''] = user.email.split('@')
  return nameOf(user) || localPart.trim() || 'User'
}

/** The display name shown to others. Never contains any part of the email. */
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
