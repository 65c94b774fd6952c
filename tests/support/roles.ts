import type { Role } from '#contracts/accounts.ts'
import type { TestApp, TestPerson } from './test-app.ts'

const tenYearsMs = 10 * 365 * 86_400_000

/**
 * Gives a person a role, in a session with the second factor confirmed, because moderators and admins have no rights without it. A
 * member's session has no second factor.
 */
export async function giveRole(test: Pick<TestApp, 'db' | 'clock'>, { user }: Pick<TestPerson, 'user'>, role: Role): Promise<void> {
  // A role lasts twelve hours in a session, but tests advance their clock by months.
  const shownAt = role === 'member' ? null : new Date(test.clock.now().getTime() + tenYearsMs)
  await test.db.updateTable('users').set({ role }).where('id', '=', user.id).execute()
  await test.db.updateTable('sessions').set({ second_factor_at: shownAt }).where('user_id', '=', user.id).execute()
}
