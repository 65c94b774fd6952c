import type { Context } from './context.ts'

/** Somebody whose account is being deleted. */
export type LeavingPerson = { id: string; email: string }

/**
 * What one feature does when an account is deleted, where rows alone are not all: counts, words that are left to others, files. Exported as
 * `<name>.own-data.ts` and brought together by the app; `server/features/own-data/map` says which table is whose.
 */
export type EraseStep = {
  /** As the map calls it. */
  name: string
  /**
   * Takes some of what is there, in short transactions of its own. Answers how many things: it is called until there are none, again
   * after a crash, and once more before the account itself goes.
   */
  eraseSome(ctx: Context, person: LeavingPerson): Promise<number>
}

/** Everything that a step finds. Answers how many things there were. */
export async function eraseAll(step: EraseStep, ctx: Context, person: LeavingPerson): Promise<number> {
  let taken = 0
  for (let some = 1; some > 0; taken += some) some = await step.eraseSome(ctx, person)
  return taken
}

/**
 * Whose name stands in the place of one who has left, where a row must name somebody: emptied comments that keep their replies, and what
 * was said in a business's name. There is no way to sign in as this one.
 */
export const formerMemberId = '00000000-0000-7000-8000-000000000001'
