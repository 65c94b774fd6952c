import type { Context } from './context.ts'

export type LeavingPerson = { id: string; email: string }

/**
 * A feature's part in deleting an account, if deleting rows isn't enough: counts, content left to others, files. The app
 * collects the steps; `server/features/own-data/map` lists which table is whose.
 */
export type EraseStep = {
  name: string
  /**
   * Erases a batch in its own short transactions and returns how many items it erased. Called until it returns 0, again after a crash,
   * and once more before the account itself is deleted.
   */
  eraseSome(ctx: Context, person: LeavingPerson): Promise<number>
}

/** Runs a step to completion. Returns the number of items. */
export async function eraseAll(step: EraseStep, ctx: Context, person: LeavingPerson): Promise<number> {
  let taken = 0
  for (let some = 1; some > 0; taken += some) some = await step.eraseSome(ctx, person)
  return taken
}

/**
 * Replaces a deleted account in rows that must have an author: emptied comments with replies, and content in a business's name. No one
 * can sign in as this user.
 */
export const formerMemberId = '00000000-0000-7000-8000-000000000001'
