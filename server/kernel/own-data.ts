import type { Context } from './context.ts'

export type LeavingPerson = { id: string; email: string }

/**
 * A feature's part in deleting an account, if deleting rows isn't enough: counts, content that others keep, files. The app collects the
 * steps. `server/features/own-data/map` lists who owns each table.
 */
export type EraseStep = {
  name: string
  /**
   * Erases a batch in its own short transactions and returns how many items it erased. Called until it returns 0, and again after a crash
   * or after another step has erased something.
   */
  eraseSome(ctx: Context, person: LeavingPerson): Promise<number>
}

/** Returns how many items the step erased. */
export async function eraseAll(step: EraseStep, ctx: Context, person: LeavingPerson): Promise<number> {
  let taken = 0
  for (let some = 1; some > 0; taken += some) some = await step.eraseSome(ctx, person)
  return taken
}

/**
 * Replaces a deleted account in rows that must have an author: emptied posts and comments that others answered, and content published in a
 * business's name. No one can sign in to it.
 */
export const formerMemberId = '00000000-0000-7000-8000-000000000001'

/**
 * A pattern for an ID anywhere in a text, or for an address only as a whole: `ann@example.co` doesn't match in `joann@example.com`. Works
 * in JavaScript and PostgreSQL, and also in JSON, which writes a line break as `\n`.
 */
export function wholeWordPattern(name: string): string {
  const itself = name.replace(/\W/g, '\\$&')
  return name.includes('@') ? `(?:(?<![\\w.+%-])|(?<=\\\\[nrt]))${itself}(?![\\w-]|\\.\\w)` : itself
}

export const mentionsAny = (text: string, names: readonly string[]): boolean =>
  names.some((name) => new RegExp(wholeWordPattern(name)).test(text))
