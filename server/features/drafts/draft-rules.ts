import { maxDaysAhead } from '#contracts/drafts.ts'
import { invalidField, invalidInput } from '#server/kernel/errors.ts'

/** Requires the fields that a draft may lack and a post may not. @throws AppError invalid_input */
export function requireWhole({ title, content }: { title: string; content: string }): void {
  const issues = [
    ...(title === '' ? [{ path: ['title'], message: 'Title is required' }] : []),
    ...(content === '' ? [{ path: ['content'], message: 'Content is required' }] : []),
  ]
  if (issues.length > 0) throw invalidInput(issues)
}

/** @throws AppError invalid_input */
export function requireTimeAhead(publishAt: Date, now: Date): void {
  if (publishAt <= now) throw invalidField('publishAt', 'Choose a time in the future')
  if (publishAt.getTime() - now.getTime() > maxDaysAhead * 86_400_000) throw invalidField('publishAt', 'At most a year ahead')
}
