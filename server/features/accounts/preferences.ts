import type { CurrentUser } from '#contracts/accounts.ts'
import type { Preferences } from '#contracts/preferences.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { updateOwn } from './accounts.queries.ts'
import { type SessionFactor, toCurrentUser } from './accounts.view.ts'

/** @throws AppError signed_out if the account was deleted */
export async function savePreferences(
  { db, clock }: Context,
  { actor, user }: { actor: Actor; user: SessionFactor },
  { region, temperature, length, mass, distance }: Preferences,
): Promise<CurrentUser> {
  const saved = await updateOwn(db, actor.id, {
    region,
    temperature_unit: temperature,
    length_unit: length,
    mass_unit: mass,
    distance_unit: distance,
    updated_at: clock.now(),
  })
  return toCurrentUser(saved, user)
}
