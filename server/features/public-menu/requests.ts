import type * as z from 'zod/mini'
import { invalidInput } from '#server/kernel/errors.ts'

/** @throws AppError invalid_input */
export function readQuery<Schema extends z.ZodMiniType>(schema: Schema, query: unknown): z.output<Schema> {
  const result = schema.safeParse(query ?? {})
  if (!result.success) throw invalidInput(result.error.issues)
  return result.data
}
