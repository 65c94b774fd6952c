import type { CurrentUser } from '../../../contracts/accounts.ts'

type Named = Pick<CurrentUser, 'displayName' | 'firstName' | 'lastName' | 'email'>

/** What the headers call the signed-in person. Only they themselves see the last fallback but one, which is a part of their email. */
export function userName({ displayName, firstName, lastName, email }: Named): string {
  return displayName?.trim() || [firstName, lastName].join(' ').trim() || email.split('@')[0] || 'User'
}
