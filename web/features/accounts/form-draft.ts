// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { useEffect, useRef } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { forget, recall, remember } from './tab-memory.ts'

const key = (name: string) => `draft.${name}`

/** The address of the form to sign in, which the one that asks for a new password begins with. */
export const signInDraft = 'sign-in'

/** Keeps what was typed in a form; no secrets. */
export const keepDraft = (name: string, values: Record<string, unknown>): void => remember(key(name), values)

/** For when the form has done its work. */
export const dropDraft = (name: string): void => forget(key(name))

/**
 * The values a form starts with: the empty form with what was typed before on top.
 * Only fields of the empty form, and only values of their kind, are taken over.
 */
export function withDraft<Values extends object>(name: string, empty: Values): Values {
  const draft = recall(key(name))
  if (typeof draft !== 'object' || draft === null) return empty
  const kept = Object.entries(draft).filter(([field, value]) => {
    const expected: unknown = empty[field as keyof Values]
    return expected !== undefined && typeof value === typeof expected && Array.isArray(value) === Array.isArray(expected)
  })
  return { ...empty, ...Object.fromEntries(kept) }
}

/**
 * Keeps what is typed, as it is typed, so that it survives a reload and signing in. `except` names secrets: they are never kept.
 * @returns ends the keeping and forgets the draft: for when the form has done its work
 */
export function useDraft<Values extends FieldValues>(
  { subscribe }: Pick<UseFormReturn<Values>, 'subscribe'>,
  name: string,
  except: readonly (keyof Values & string)[] = [],
): () => void {
  const unsubscribe = useRef<(() => void) | null>(null)
  const secrets = except.join()
  useEffect(() => {
    const left = secrets.split(',')
    unsubscribe.current = subscribe({
      formState: { values: true },
      callback: ({ values }) => keepDraft(name, Object.fromEntries(Object.entries(values).filter(([field]) => !left.includes(field)))),
    })
    return () => unsubscribe.current?.()
  }, [subscribe, name, secrets])
  return () => {
    unsubscribe.current?.()
    dropDraft(name)
  }
}
